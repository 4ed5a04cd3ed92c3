import { afterAll, beforeAll, expect, it } from 'vitest';
import { orgDetailAt } from '../../../queries/past/org-detail-at.ts';
import { orgReleasesAt } from '../../../queries/past/org-releases-at.ts';
import { createWholeOrgTurns } from '../../../queries/past/in-turn.ts';
import { createTurns } from '../../../src/concurrency/turns.ts';
import type { PastDeps } from '../../../queries/past/past-deps.ts';
import { toTimestamp } from '../../../src/kernel/dates.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { neverFetched } from '../../../src/records/fetch-state.ts';
import { orgCreated } from '../../spec/events/entity-events.ts';
import { newEvent } from '../../spec/events/events.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { gatedEventStore } from '../../spec/gated-event-store.ts';
import { openInThreadEventStore } from '../../spec/in-thread-event-store.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';
import { openSampleRegistry, orgIdOf, releaseStream, type SampleRegistry } from '../../spec/worlds/sample-registry.ts';

let folder: TempFolder;
let store: EventStore;
let registry: SampleRegistry;

const nowMs = Date.UTC(2026, 5, 1);
const asking = { nowMs, admin: false };

beforeAll(async () => {
  folder = createTempFolder();
  store = openInThreadEventStore(folder.path);
  registry = await openSampleRegistry();
  for (const name of ['acme', 'vast']) {
    await registry.addOrg(name);
    const { type, data } = orgCreated({ slug: name, name });
    await store.append({ stream: `org-${orgIdOf(name)}`, expectedVersion: 0, events: [newEvent(type, data)] });
  }
  await registry.addSource('log', 'vast');
  const parents = { source: 'log', org: 'vast', fetchedAt: toTimestamp(nowMs + 1) };
  await registry.recordMany(Array.from({ length: 1_001 }, (_, number) => releaseStream(`v${number}`, parents)));
  await registry.catalogue.refresh();
});
afterAll(async () => {
  await registry.close();
  await store.close();
  folder.remove();
});

/** Reads that stop at the door of the event store until it is opened. */
const openGate = () => {
  const clock = createFakeClock();
  let begun = 0;
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const streams = gatedEventStore(store, async (_, moment) => {
    if (moment === 'after') return;
    begun += 1;
    await opened;
  });
  const deps: PastDeps = {
    ...registry,
    streams,
    clock,
    longPageTurns: createTurns(clock, 1),
    wholeOrgTurns: createWholeOrgTurns(clock),
    fetchStates: async (ids) => ids.map(() => neverFetched),
    embeddedAt: async () => null,
    webBaseUrl: 'https://registry.example',
  };
  return { deps, clock, open, begun: () => begun };
};

const detail = (deps: PastDeps, name = 'acme', atMs = nowMs) => orgDetailAt(deps, { org: orgIdOf(name), atMs }, asking);
const feed = (deps: PastDeps) => {
  const lanes = { includePrereleases: false, includeCoverage: false };
  const filters = { product: null, kind: null, sinceMs: null, untilMs: null, sourceType: null };
  return orgReleasesAt(
    deps,
    { org: orgIdOf('acme'), atMs: nowMs, ...filters, ...lanes, limit: 5, cursor: null, sent: {} },
    asking,
  );
};

it('reads one whole org of the past at a time, and the others after it', async () => {
  const { deps, open, begun } = openGate();
  const answers = [detail(deps), feed(deps), detail(deps)];
  await eventually('the first one reads', () => begun() > 0);
  expect(begun()).toBe(1);
  open();
  const [first, second, third] = await Promise.all(answers);
  expect([first, third]).toMatchObject([{ slug: 'acme' }, { slug: 'acme' }]);
  expect(second).toMatchObject({ releases: [] });
});

it('sends away who has waited long, and answers the one before', async () => {
  const { deps, clock, open, begun } = openGate();
  const first = detail(deps);
  const second = expect(feed(deps)).rejects.toMatchObject({ code: 'service_unavailable' });
  await eventually('the first one reads', () => begun() > 0);
  clock.advance(10_000);
  await second;
  open();
  expect(await first).toMatchObject({ slug: 'acme' });
});

it('reads a small org while a large one is read, for which others wait', async () => {
  const { deps, clock, open } = openGate();
  open();
  let end = () => {};
  const held = deps.wholeOrgTurns.large.run('held', 1_000, () => new Promise<void>((resolve) => (end = resolve)));
  const small = detail(deps);
  clock.advance(10_000); // whoever waits is sent away
  expect(await small).toMatchObject({ slug: 'acme' });
  const refused = expect(detail(deps, 'vast')).rejects.toMatchObject({ code: 'service_unavailable' });
  clock.advance(10_000);
  await refused;
  end();
  await held;
  expect(await detail(deps, 'vast')).toMatchObject({ slug: 'vast' });
});

it('answers those together who wait with the same question, and with no other', async () => {
  const { deps, open } = openGate();
  const first = detail(deps);
  const waiting = [detail(deps), feed(deps), detail(deps), feed(deps)];
  const otherMoment = expect(detail(deps, 'acme', 0)).rejects.toMatchObject({ code: 'not_found' });
  open();
  await Promise.all([first, otherMoment]);
  const [someDetail, someFeed, sameDetail, sameFeed] = await Promise.all(waiting);
  expect(sameDetail).toBe(someDetail);
  expect(sameFeed).toEqual(someFeed);
  expect(someFeed).toMatchObject({ releases: [] });
});
