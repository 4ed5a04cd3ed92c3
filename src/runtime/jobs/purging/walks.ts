import { purgeProduct } from '../../../../commands/product/purge-product.ts';
import { eraseReleases } from '../../../../commands/release/erase-releases.ts';
import { purgeSource } from '../../../../commands/source/purge-source.ts';
import { productProjection } from '../../../../projections/product/product.ts';
import { type FeedRow, releaseFeedProjection } from '../../../../projections/release-feed/release-feed.ts';
import { sourceProjection } from '../../../../projections/source/source.ts';
import { summariesProjection } from '../../../../projections/summaries/summaries.ts';
import { fewAtOnce } from '../../../concurrency/few-at-once.ts';
import { partBytesMax } from '../../../domain/body/split-body.ts';
import { toTimestamp } from '../../../kernel/dates.ts';
import type { KeyValue, Projection } from '../../../kernel/projection.ts';
import { batchBytesMax } from '../../../ports/event-store.ts';
import type { ReadModelSet } from '../../../ports/read-models.ts';
import type { CommandResult } from '../../commands/command-runner.ts';
import type { PurgeDeps } from './purge-deps.ts';
import { removeSummaries } from './remove-source-texts.ts';

/** Streams of one step. */
export const stepStreams = 500;

interface WalkedRow {
  readonly id: string;
  /** What the next page goes on behind. */
  readonly after: readonly KeyValue[];
  /** Of its stream, about. */
  readonly bytes: number;
}

/** What lies below an entity, page by page in the order of an index, and how it is taken away. */
export interface Walk {
  readonly reads: readonly Projection[];
  /** The eraser follows what it takes away. */
  readonly isErasing: boolean;
  readonly page: (models: ReadModelSet, entityId: string, after: readonly KeyValue[] | null) => Promise<WalkedRow[]>;
  readonly take: (deps: PurgeDeps, rows: readonly WalkedRow[], entityId: string) => Promise<Taken>;
}

interface Taken {
  /** Without those that somebody else has taken away before. */
  readonly count: number;
  /** The highest that was stored or read. */
  readonly position: number;
}

const together = (all: readonly Taken[]): Taken => ({
  count: all.reduce((sum, { count }) => sum + count, 0),
  position: all.reduce((highest, { position }) => Math.max(highest, position), 0),
});

const commandsAtOnce = 16;
/** What a stream takes beside the text of its release. */
const eventBytes = 2_000;

/** Streams that are decided in one go: whoever waits for an answer meanwhile shall hardly notice. */
const decidedAtOnce = 25;

/** While some are flushed to the disk, together, the next is read and decided. */
const groupsAtOnce = 4;
const groupBytesMax = batchBytesMax / groupsAtOnce;

/** Rows that are read and parsed in one go. */
const rowsAtOnce = 128;

/** Groups that are small enough to be read at once. */
function* inGroups(rows: readonly WalkedRow[]): Generator<WalkedRow[]> {
  let group: WalkedRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (group.length === decidedAtOnce || (group.length > 0 && bytes + row.bytes > groupBytesMax)) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(row);
    bytes += row.bytes;
  }
  if (group.length > 0) yield group;
}

async function takeReleases(deps: PurgeDeps, rows: readonly WalkedRow[]): Promise<Taken> {
  const { batches, request, eraseLinked, mayGoOn, inTurn } = deps;
  await mayGoOn();
  const input = { releaseIds: rows.map(({ id }) => id) };
  const { results, position } = await inTurn(() => batches.run(eraseReleases, input, request()));
  const taken: Taken[] = [{ count: results.filter(({ result }) => result === 'erased').length, position }];
  for (const { id, result } of results) {
    if (result === 'linked') taken.push({ count: 1, ...(await eraseLinked(id)) });
  }
  return together(taken);
}

const walkedRow = ({ id, lane, publishedMs, fetchedMs, derived }: FeedRow): WalkedRow => ({
  id,
  after: [lane, publishedMs, fetchedMs, id],
  // Longer texts lie in streams of their own.
  bytes: eventBytes + Math.min(derived.contentChars ?? 0, partBytesMax),
});

/** Also those that nobody sees: every lane of the feed. */
const releasesOfSource: Walk = {
  reads: [releaseFeedProjection],
  isErasing: true,
  page: async (models, sourceId, after) => {
    const page: WalkedRow[] = [];
    while (page.length < stepStreams) {
      const limit = Math.min(rowsAtOnce, stepStreams - page.length);
      const behind = page.at(-1)?.after ?? after;
      const range = { index: 'bySource', equals: { sourceId }, limit, ...(behind && { after: behind }) };
      const rows = await models.of(releaseFeedProjection).query(range);
      page.push(...rows.map(walkedRow));
      if (rows.length < limit) break;
    }
    return page;
  },
  take: async (deps, rows) => {
    const taken: Taken[] = [];
    await fewAtOnce(inGroups(rows), groupsAtOnce, async (group) => {
      taken.push(await takeReleases(deps, group));
    });
    return together(taken);
  },
};

type Purged = Pick<CommandResult<unknown>, 'events' | 'position'>;

/** Each part begins a purge of its own. */
async function eachPart(rows: readonly WalkedRow[], purge: (id: string) => Promise<Purged>): Promise<Taken> {
  const taken: Taken[] = [];
  for (let from = 0; from < rows.length; from += commandsAtOnce) {
    const purged = await Promise.all(rows.slice(from, from + commandsAtOnce).map(({ id }) => purge(id)));
    taken.push(...purged.map(({ events, position }) => ({ count: events.length, position })));
  }
  return together(taken);
}

const partsOfOrg = (
  projection: typeof productProjection | typeof sourceProjection,
  purge: (deps: PurgeDeps, id: string) => Promise<Purged>,
): Walk => ({
  reads: [projection],
  isErasing: false,
  page: async (models, orgId, after) => {
    const range = { index: 'byOrg', equals: { orgId }, limit: stepStreams, ...(after && { after }) };
    const rows = await models.of<{ readonly id: string }>(projection).query(range);
    return rows.map(({ id }) => ({ id, after: [id], bytes: eventBytes }));
  },
  take: (deps, rows) => eachPart(rows, (id) => purge(deps, id)),
});

const sourcesOfOrg = partsOfOrg(sourceProjection, ({ commands, request }, sourceId) =>
  commands.run(purgeSource, { sourceId, isAsked: false }, request()),
);
const productsOfOrg = partsOfOrg(productProjection, ({ commands, request }, productId) =>
  commands.run(purgeProduct, { productId, isAsked: false }, request()),
);

const summariesOfSource: Walk = {
  reads: [summariesProjection],
  isErasing: false,
  page: async (models, sourceId, after) => {
    const range = { index: 'newest', equals: { sourceId }, limit: stepStreams, ...(after && { after }) };
    const rows = await models.of(summariesProjection).query(range);
    return rows.map(({ id, generatedAt }) => ({ id, after: [generatedAt, id], bytes: eventBytes }));
  },
  take: async ({ store, clock, request }, rows, sourceId) => {
    const metadata = { ...request(), recordedAt: toTimestamp(clock.nowMs()) };
    const summaryIds = rows.map(({ id }) => id);
    return { count: rows.length, position: await removeSummaries(store, { sourceId, summaryIds }, metadata) };
  },
};

/** By the kind of entity. */
export const walks: Readonly<Record<'org' | 'product' | 'source', readonly Walk[]>> = {
  org: [sourcesOfOrg, productsOfOrg],
  product: [],
  source: [releasesOfSource, summariesOfSource],
};
