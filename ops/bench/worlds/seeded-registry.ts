import { createOrg } from '../../../commands/org/create-org.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { createSource } from '../../../commands/source/create-source.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { nameOwners } from '../../../src/domain/name/name-owners.ts';
import { parentFacts, type ReleaseParents } from '../../../src/domain/release/parents.ts';
import { toTimestamp } from '../../../src/kernel/dates.ts';
import { parseStream } from '../../../src/kernel/stream-name.ts';
import type { EventStore, StreamAppend } from '../../../src/ports/event-store.ts';
import { type CommandRunner, createCommandRunner } from '../../../src/runtime/commands/command-runner.ts';
import { loadFacts } from '../../../src/runtime/commands/load-facts.ts';
import { createStreamLoader } from '../../../src/runtime/commands/stream-loader.ts';
import { newEvents } from '../../../src/runtime/commands/new-events.ts';
import {
  benchNowMs,
  benchRangeMs,
  benchRequest,
  benchWebBaseUrl,
  type Chance,
  createChance,
  type ItemShape,
  releaseItem,
} from './seeded-data.ts';

export interface RegistryShape {
  readonly orgs: number;
  readonly sourcesPerOrg: number;
  readonly releases: number;
  readonly bodyChars: number;
  readonly entry?: ItemShape['entry'];
  /** Whether each release is announced, which is a second event. */
  readonly emit: boolean;
  readonly isHidden?: (org: number, source: number) => boolean;
  /** How many releases an org has for each one of an org whose share is 1; they are all of one size when absent. */
  readonly shareOf?: (org: number) => number;
  /** Each source has a package at npm, `package-<org>-<source>`. */
  readonly hasPackages?: boolean;
}

const appendStreams = 500;
const commandsAtOnce = 32;
/** Requests below this number made the sources. */
const firstRelease = 1_000_000;

/** Calls the work for each number, so many at once. */
async function eachAtOnce(count: number, atOnce: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const caller = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
}

/** Orgs named `org-<number>` and their sources; answers the ids of the sources. */
export async function createSources(
  commands: CommandRunner,
  shape: Pick<RegistryShape, 'orgs' | 'sourcesPerOrg' | 'isHidden' | 'hasPackages'>,
) {
  const { orgs, sourcesPerOrg, isHidden = () => false, hasPackages = false } = shape;
  const sourceIds: string[] = [];
  await eachAtOnce(orgs, commandsAtOnce, async (org) => {
    const firstRequest = org * (sourcesPerOrg + 1);
    const { id: orgId } = await commands.run(createOrg, { name: `Org ${org}` }, benchRequest(firstRequest));
    for (let source = 0; source < sourcesPerOrg; source += 1) {
      const input = {
        orgId,
        name: `Source ${source}`,
        url: `https://example.com/${org}/${source}`,
        isHidden: isHidden(org, source),
        ...(hasPackages && { packages: [{ ecosystem: 'npm' as const, name: `package-${org}-${source}` }] }),
      };
      const created = await commands.run(createSource, input, benchRequest(firstRequest + 1 + source));
      sourceIds[org * sourcesPerOrg + source] = created.id;
    }
  });
  return sourceIds;
}

interface Arrival {
  readonly sourceId: string;
  readonly parents: ReleaseParents;
  /** Which release of its source it is, and its place among all. */
  readonly number: number;
  readonly place: number;
  readonly shape: ItemShape;
}

/** What ingesting decides on a release that nobody knows yet, without validation and reading: this only fills a store. */
function decidedAppend(
  chance: Chance,
  { sourceId, parents, number, place, shape }: Arrival,
  emit: boolean,
): StreamAppend {
  const item = releaseItem(chance, number, shape);
  const counted = { ...item, contentTokens: Math.ceil(item.content.length / 4) };
  const input = {
    sourceId,
    items: [counted],
    emit,
    backfillDays: null,
    keepsEdits: false,
    webBaseUrl: benchWebBaseUrl,
  };
  const request = benchRequest(firstRelease + place);
  const now = toTimestamp(benchNowMs + place);
  const { stream, item: ingested } = ingestReleases.items(input, parents)[0]!;
  const context = { now, commandId: request.commandId, id: parseStream(stream).id, facts: parents, names: {} };
  const { events } = ingestReleases.decide(ingested, { status: 'absent' }, context);
  const target = { stream, expectedVersion: 0 };
  return { ...target, events: newEvents(events, target, request, now) };
}

async function parentsOf(store: EventStore, sourceIds: readonly string[]): Promise<ReleaseParents[]> {
  const streams = createStreamLoader({ store, clock: systemClock, random: systemRandom });
  const parents: ReleaseParents[] = [];
  for (const sourceId of sourceIds) {
    parents.push((await loadFacts<ReleaseParents>(streams, (known) => parentFacts(sourceId, known))).facts);
  }
  return parents;
}

const dayMs = 86_400_000;

/**
 * In the order of a registry that has lived for a while: a source brings half of its releases at once when it is added,
 * the others come one by one, from all sources in turn and in the order of their dates.
 */
function* arrivals(
  { releases, bodyChars, entry, sourcesPerOrg, shareOf = () => 1 }: RegistryShape,
  sourceIds: readonly string[],
  parents: readonly ReleaseParents[],
): Generator<Arrival> {
  const turns = sourceIds.flatMap((_, source) =>
    Array<number>(shareOf(Math.floor(source / sourcesPerOrg))).fill(source),
  );
  const numbers = sourceIds.map(() => 0);
  const fromMs = benchNowMs - benchRangeMs;
  const middleMs = benchNowMs - benchRangeMs / 2;
  const atOnceEach = Math.floor(releases / turns.length / 2);
  const atOnce = atOnceEach * turns.length;
  for (let place = 0; place < releases; place += 1) {
    const isLate = place >= atOnce;
    const turn = place - atOnce;
    const source = turns[isLate ? turn % turns.length : Math.floor(place / atOnceEach)]!;
    const number = numbers[source]!++;
    const dayFromMs = middleMs + Math.floor((turn / (releases - atOnce)) * (benchNowMs - dayMs - middleMs));
    const dates = isLate ? { fromMs: dayFromMs, toMs: dayFromMs + dayMs } : { fromMs, toMs: middleMs };
    yield {
      sourceId: sourceIds[source]!,
      parents: parents[source]!,
      number,
      place,
      shape: { bodyChars, ...(entry && { entry }), ...dates },
    };
  }
}

/** Fills an empty store with seeded orgs, sources and releases; the log is the same for the same shape. */
export async function fillRegistry(store: EventStore, shape: RegistryShape): Promise<void> {
  const clock = { nowMs: () => benchNowMs, sleep: () => Promise.resolve() };
  const commands = createCommandRunner({ store, clock, random: systemRandom, nameOwners });
  const sourceIds = await createSources(commands, shape);
  const chance = createChance(1);
  let waiting: StreamAppend[] = [];
  let appending: Promise<unknown> = Promise.resolve();
  for (const arrival of arrivals(shape, sourceIds, await parentsOf(store, sourceIds))) {
    waiting.push(decidedAppend(chance, arrival, shape.emit));
    if (waiting.length < appendStreams && arrival.place < shape.releases - 1) continue;
    // While one batch is written by its thread, the next is decided here.
    await appending;
    appending = store.appendMany(waiting);
    waiting = [];
  }
  await appending;
}
