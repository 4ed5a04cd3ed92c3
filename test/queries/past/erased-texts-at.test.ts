import { afterAll, beforeAll, expect, it } from 'vitest';
import { allProjections } from '../../../projections/all-projections.ts';
import { bodiesProjection } from '../../../projections/bodies/bodies.ts';
import type { OrgReleasesInput } from '../../../queries/orgs/org-releases.ts';
import { orgReleasesAt } from '../../../queries/past/org-releases-at.ts';
import { createWholeOrgTurns } from '../../../queries/past/in-turn.ts';
import { createTurns } from '../../../src/concurrency/turns.ts';
import type { PastDeps } from '../../../queries/past/past-deps.ts';
import { releaseDetailAt } from '../../../queries/past/release-detail-at.ts';
import { createEmbeddedSearchIndexes } from '../../../src/adapters/embedded/search-index/search-indexes.ts';
import type { ReleaseGiven } from '../../../src/domain/release/events.ts';
import type { DomainEvent } from '../../../src/kernel/event.ts';
import type { Projection } from '../../../src/kernel/projection.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { neverFetched } from '../../../src/records/fetch-state.ts';
import { newEvent } from '../../spec/events/events.ts';
import { erased, revised } from '../../spec/events/release-events.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { openInThreadEventStore } from '../../spec/in-thread-event-store.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';
import {
  openSampleRegistry,
  orgIdOf,
  orgStream,
  releaseIdOf,
  releaseStream,
  type SampleRegistry,
  sourceIdOf,
  sourceStream,
} from '../../spec/worlds/sample-registry.ts';

let folder: TempFolder;
let store: EventStore;
let registry: SampleRegistry;
let deps: PastDeps;

const atMs = Date.parse('2026-03-01T00:00:00.000Z');
const beforeThen = '2026-02-28T00:00:00.000Z';
const afterThen = '2026-03-02T00:00:00.000Z';
const asking = { nowMs: Date.parse('2026-03-03T00:00:00.000Z'), admin: false };

beforeAll(async () => {
  folder = createTempFolder();
  store = openInThreadEventStore(folder.path);
  registry = await openSampleRegistry();
  const clock = createFakeClock();
  deps = {
    ...registry,
    streams: store,
    clock,
    longPageTurns: createTurns(clock, 1),
    wholeOrgTurns: createWholeOrgTurns(clock),
    fetchStates: async (ids) => ids.map(() => neverFetched),
    embeddedAt: async () => null,
    webBaseUrl: 'https://registry.example',
  };
});
afterAll(async () => {
  await registry.close();
  await store.close();
  folder.remove();
});

type Append = readonly [stream: string, events: readonly DomainEvent[]];

/** What happens is appended, and seen by some read models. */
const happens = async (
  [stream, events]: Append,
  { recordedAt = beforeThen, into = allProjections }: { recordedAt?: string; into?: readonly Projection[] } = {},
) => {
  const { version } = await store.read(stream, { limit: 1 });
  const appended = events.map(({ type, data }) => newEvent(type, data, { recordedAt }));
  await store.append({ stream, expectedVersion: version, events: appended });
  await registry.recordOnlyIn(into, stream, events, { recordedAt });
};

/** An org with two releases, of which one has a long text. */
const tell = async (org: string) => {
  const [long, source, orgId] = [`long${org}`, sourceIdOf(org), orgIdOf(org)];
  const stream = `release-${releaseIdOf(long)}`;
  const bodyOf = (letter: string) => {
    const sha256 = letter.repeat(64);
    const part = { type: 'BodyPartStored.v1', data: { part: 0, parts: 1, text: `text ${letter}` } };
    const append: Append = [`body-${releaseIdOf(long)}-${sha256}`, [part]];
    return { append, content: { sha256, chars: 6, parts: 1 } };
  };
  const then = bodyOf('a');
  const parents = { source: org, org, fetchedAt: beforeThen };
  await happens(orgStream(org));
  await happens(sourceStream(org, org));
  await happens(releaseStream(`short${org}`, parents, { content: 'text, too', publishedAt: beforeThen }));
  await happens(then.append);
  await happens(releaseStream(long, parents, { content: then.content, publishedAt: beforeThen }));
  await registry.catalogue.refresh();
  return {
    bodyOf,
    revision: (content: ReleaseGiven['content']): Append => [stream, [revised(source, { content }, { orgId })]],
    /** It is appended, and only the text is gone by now. */
    eraseText: () => {
      const event = erased(source, { orgId, bodyStreams: [then.append[0]] });
      return happens([stream, [event]], { recordedAt: afterThen, into: [bodiesProjection] });
    },
    page: async (words: OrgReleasesInput['words'] = null) => {
      const filters = { product: null, kind: null, sinceMs: null, untilMs: null, sourceType: null };
      const paging = { includePrereleases: false, includeCoverage: false, limit: 5, cursor: null, sent: {} };
      const { releases } = await orgReleasesAt(deps, { org: orgId, atMs, words, ...filters, ...paging }, asking);
      return releases.map(({ content }) => content).sort();
    },
    detail: () => releaseDetailAt(deps, { release: releaseIdOf(long), atMs }, asking),
  };
};

it('a release that is being erased is not in the past, and the others of its page are', async () => {
  const { revision, eraseText, page, detail } = await tell('acme');
  await happens(revision('short by now'), { recordedAt: afterThen });
  expect([await page(), (await detail()).content]).toEqual([['text a', 'text, too'], 'text a']);
  await eraseText();
  expect(await page()).toEqual(['text, too']);
  await expect(detail()).rejects.toMatchObject({ code: 'not_found' });
});

it('a release that is being erased says nothing that was looked for', async () => {
  const { revision, eraseText, page } = await tell('dodo');
  const indexes = await createEmbeddedSearchIndexes({ folder: folder.path, clock: deps.clock });
  const words = { index: await indexes.open(1), tokens: ['text'] };
  await happens(revision('short by now'), { recordedAt: afterThen });
  expect(await page(words)).toEqual(['text a']); // the index has not seen the other one
  await eraseText();
  expect(await page(words)).toEqual([]);
  await indexes.close();
});

it('a text of then that the bodies have not seen yet is for a later try', async () => {
  const { bodyOf, revision, page, detail } = await tell('emu');
  const next = bodyOf('b');
  await happens(next.append, { into: [] });
  await happens(revision(next.content), { into: [] });
  await expect(page()).rejects.toMatchObject({ code: 'service_unavailable' });
  await expect(detail()).rejects.toMatchObject({ code: 'service_unavailable' });
});
