import { afterAll, beforeAll, expect, it } from 'vitest';
import { orgDetailAt } from '../../../queries/past/org-detail-at.ts';
import { orgReleasesAt } from '../../../queries/past/org-releases-at.ts';
import type { PastDeps } from '../../../queries/past/past-deps.ts';
import { createTurns } from '../../../src/concurrency/turns.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { neverFetched } from '../../../src/records/fetch-state.ts';
import { orgCreated } from '../../spec/events/entity-events.ts';
import { newEvent } from '../../spec/events/events.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { gatedEventStore } from '../../spec/gated-event-store.ts';
import { openInThreadEventStore } from '../../spec/in-thread-event-store.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';
import { openSampleRegistry, orgIdOf, type SampleRegistry } from '../../spec/worlds/sample-registry.ts';

let folder: TempFolder;
let store: EventStore;
let registry: SampleRegistry;

const org = orgIdOf('acme');
const nowMs = Date.UTC(2026, 5, 1);
const asking = { nowMs, admin: false };

beforeAll(async () => {
  folder = createTempFolder();
  store = openInThreadEventStore(folder.path);
  registry = await openSampleRegistry();
  await registry.addOrg('acme');
  await registry.catalogue.refresh();
  const { type, data } = orgCreated({ slug: 'acme', name: 'acme' });
  await store.append({ stream: `org-${org}`, expectedVersion: 0, events: [newEvent(type, data)] });
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
    largeReadTurns: createTurns(clock, 1),
    fetchStates: async (ids) => ids.map(() => neverFetched),
    embeddedAt: async () => null,
    webBaseUrl: 'https://registry.example',
  };
  return { deps, clock, open, begun: () => begun };
};

const detail = (deps: PastDeps) => orgDetailAt(deps, { org, atMs: nowMs }, asking);
const feed = (deps: PastDeps) => {
  const lanes = { includePrereleases: false, includeCoverage: false };
  const filters = { product: null, kind: null, sinceMs: null, untilMs: null, sourceType: null };
  return orgReleasesAt(deps, { org, atMs: nowMs, ...filters, ...lanes, limit: 5, cursor: null, sent: {} }, asking);
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
