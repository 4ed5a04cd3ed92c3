import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOrg } from '../../../commands/org/create-org.ts';
import { eraseRelease } from '../../../commands/release/erase-release.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { writeOverview } from '../../../commands/overview/write-overview.ts';
import { writeSummary } from '../../../commands/summary/write-summary.ts';
import { createEmbeddedOperationalStore } from '../../../src/adapters/embedded/operational-store/operational-store.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemIds } from '../../../src/adapters/system/ids.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { purgerActor } from '../../../src/domain/purge/purger-actor.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import { createIdempotencyKeys } from '../../../src/records/idempotency-keys.ts';
import { createSeal } from '../../../src/records/secrets/seal.ts';
import { createSnapshots } from '../../../src/records/snapshots.ts';
import type { LeasedFollower } from '../../../src/runtime/resilience/follow-with-lease.ts';
import { startEraser } from '../../../src/runtime/jobs/eraser.ts';
import {
  eraserFailure,
  eraserPosition,
  waitUntilErased,
  waitUntilTruncated,
} from '../../../src/runtime/jobs/eraser-progress.ts';
import type { ScrubTexts } from '../../../src/runtime/jobs/scrub-texts.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../../spec/worlds/embedded-registry.ts';
import { eventually } from '../../spec/eventually.ts';
import { gatedEventStore } from '../../spec/gated-event-store.ts';
import { hurriedClock } from '../../spec/hurried-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { createTestSource } from '../../spec/worlds/source-world.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';

let folder: TempFolder;
let store: EventStore;
let ops: OperationalStore;
let erasers: LeasedFollower[];
let sourceId: string;
let log: ReturnType<typeof createKeptLog>;
let lastRequest = 100;
const nextRequest = () => requestOf((lastRequest += 1));

const openOps = (clock: Clock): Promise<OperationalStore> =>
  createEmbeddedOperationalStore({
    folder: folder.path,
    clock,
    onFatal: (error) => {
      throw error;
    },
  });

beforeEach(async () => {
  folder = createTempFolder();
  store = await openTestEventStore(folder.path);
  ops = await openOps(systemClock);
  erasers = [];
  log = createKeptLog();
  sourceId = await createTestSource(createTestRunners(store, systemClock).commands, 'Acme', 1);
});

afterEach(async () => {
  for (const eraser of erasers) await eraser.close();
  await ops.close();
  await store.close();
  folder.remove();
});

const scrubTexts: ScrubTexts = { isPossible: async () => true, scrub: async () => {} };

const start = (
  over: { store?: EventStore; ops?: OperationalStore; clock?: Clock; holder?: string; scrubTexts?: ScrubTexts } = {},
) => {
  const snapshots = createSnapshots({ ops, clock: systemClock, log });
  const deps = { store, ops, snapshots, clock: hurriedClock(), log, holder: 'a', scrubTexts, ...over };
  const eraser = startEraser(deps);
  erasers.push(eraser);
  return {
    ...eraser,
    waitFor: (position: number) => waitUntilErased(deps, position),
    untilTruncated: (position: number) => waitUntilTruncated(deps, position),
  };
};

const ingest = async (content: string, version?: string, by: EventStore = store): Promise<string> => {
  const request = nextRequest();
  const items = [{ title: 'A release', version: version ?? request.correlationId, content, contentTokens: 1 }];
  const { batches } = createTestRunners(by, systemClock);
  const { results } = await batches.run(ingestReleases, { sourceId, items, webBaseUrl: 'https://r.example' }, request);
  return results[0]!.id;
};

const erase = async (releaseId: string, actor = 'root'): Promise<number> => {
  const { commands } = createTestRunners(store, systemClock);
  return (await commands.run(eraseRelease, { releaseId }, { ...nextRequest(), actor })).position;
};

const typesIn = async (stream: string) => (await store.read(stream)).events.map(({ type }) => type);

const bodyStreams = async () => {
  const { events } = await store.readAll({ afterPosition: 0, limit: 1_000, types: ['BodyPartStored.v1'] });
  return [...new Set(events.map(({ stream }) => stream.name))];
};

const filesHolding = (text: string) =>
  readdirSync(folder.path)
    .filter((name) => readFileSync(join(folder.path, name)).includes(Buffer.from(text)))
    .sort();

describe('eraser', () => {
  it('takes the text of an erased release out of its stream and its bodies, and says when it is done', async () => {
    const [small, large, kept] = [await ingest('small'), await ingest('x'.repeat(600_000)), await ingest('kept')];
    const [body = ''] = await bodyStreams();
    const eraser = start();
    await erase(small);
    await eraser.waitFor(await erase(large));
    expect(await typesIn(`release-${small}`)).toEqual(['ReleaseErased.v1']);
    expect(await typesIn(`release-${large}`)).toEqual(['ReleaseErased.v1']);
    expect(await bodyStreams()).toEqual([]);
    expect(await typesIn(body)).toEqual(['BodyErased.v1']);
    expect(await typesIn(`release-${kept}`)).toEqual(['ReleaseIndexed.v1', 'ReleaseAnnounced.v1']);
  });

  it('takes along what was generated from it, and neither what somebody wrote nor what tells of others', async () => {
    const mark = 'a sentence that must go';
    const { commands } = createTestRunners(store, systemClock);
    const [{ data: created } = {}] = (await store.read(`source-${sourceId}`)).events;
    const { orgId } = created as { readonly orgId: string };
    const other = await createTestSource(commands, 'Other', 51);
    const [{ data: otherCreated } = {}] = (await store.read(`source-${other}`)).events;
    const { orgId: otherOrgId } = otherCreated as { readonly orgId: string };
    const [erased, kept] = [await ingest(mark), await ingest('stays')];
    const generated = () => ({ ...nextRequest(), cause: 'generate' as const });
    const citing = (releaseId: string, content: string) => ({
      content,
      releaseCount: 1,
      citations: [{ sourceUrl: 'https://example.com', releaseId }],
    });
    await commands.run(writeOverview, { ownerId: orgId, fields: citing(erased, mark) }, generated());
    await commands.run(writeOverview, { ownerId: otherOrgId, fields: citing(kept, 'of others') }, generated());
    const rolling = { type: 'rolling', windowDays: 30, summary: mark, releaseCount: 1 };
    const { id: summaryId } = await commands.run(writeSummary, { sourceId, fields: rolling }, generated());
    const week = { type: 'rolling', windowDays: 7, summary: 'by hand', releaseCount: 1 };
    const { id: byHand } = await commands.run(writeSummary, { sourceId, fields: week }, nextRequest());
    let scrubbedTo = 0;
    const scrub = async (position: number) => void (scrubbedTo = position);
    await start({ scrubTexts: { ...scrubTexts, scrub } }).waitFor(await erase(erased));
    expect(await typesIn(`overview-${orgId}`)).toEqual(['OverviewRemoved.v1']);
    expect(await typesIn(`summary-${summaryId}`)).toEqual(['SummaryRemoved.v1']);
    expect(await typesIn(`overview-${otherOrgId}`)).toEqual(['OverviewWritten.v1']);
    expect(await typesIn(`summary-${byHand}`)).toEqual(['SummaryWritten.v1']);
    // Read models are rid of the texts only once they have passed what took their place.
    expect(scrubbedTo).toBe(await store.head());
    expect(filesHolding(mark).filter((name) => name.startsWith('events'))).toEqual([]);
  });

  it('leaves no answer that was kept for repeats and holds the text', async () => {
    const seal = createSeal(new Uint8Array(32).fill(7), systemRandom);
    const keys = await createIdempotencyKeys({ ops, clock: systemClock, ids: systemIds, seal, log });
    const [erased, kept] = [await ingest('goes'), await ingest('stays')];
    const other = await ingest('is in both answers');
    const requestFor = (releaseId: string) => ({
      key: `key-of-${releaseId}`,
      callerName: 'root',
      method: 'PATCH',
      path: `/v1/releases/${releaseId}`,
      query: '',
      body: Buffer.from('{}'),
    });
    for (const releaseId of [erased, kept]) {
      const outcome = await keys.begin(requestFor(releaseId));
      if (outcome.kind !== 'run') throw new Error('it was run before');
      await outcome.claim.finish({ status: 200, headers: {}, body: '"the text"', releaseIds: [other, releaseId] });
    }
    await start().waitFor(await erase(erased));
    expect((await keys.begin(requestFor(erased))).kind).toBe('run');
    expect((await keys.begin(requestFor(kept))).kind).toBe('replay');
  });

  it('leaves no snapshot of an erased release, and none that could be read by its files', async () => {
    const mark = 'a secret that must go';
    const snapshots = createSnapshots({ ops, clock: systemClock, log });
    const { batches, commands } = createTestRunners(store, systemClock, snapshots);
    const items = Array.from({ length: 70 }, (_, index) => ({
      title: 'Leak',
      version: '9.9.9',
      content: mark,
      contentTokens: 5,
      summary: `${mark} ${index}`,
    }));
    const input = { sourceId, items, webBaseUrl: 'https://r.example' };
    const { results } = await batches.run(ingestReleases, input, nextRequest());
    const { id: releaseId = '' } = results[0] ?? {};
    await snapshots.settled();
    const stream = `release-${releaseId}`;
    const kept = (await snapshots.find([stream])).get(stream)!;
    expect(filesHolding(mark).filter((name) => !name.startsWith('events.'))).toEqual([]); // it is sealed
    expect(filesHolding(mark)).not.toEqual([]);

    const { position } = await commands.run(eraseRelease, { releaseId }, nextRequest());
    await start().waitFor(position);
    expect((await snapshots.find([stream])).size).toBe(0);
    expect(filesHolding(mark)).toEqual([]);

    // One that another process saves too late says nothing to anybody: the event that opens it is gone.
    snapshots.save(kept);
    await snapshots.settled();
    const again = await batches.run(ingestReleases, { ...input, items: items.slice(0, 1) }, nextRequest());
    expect(again.results).toEqual([{ id: releaseId, result: 'withdrawn' }]);
    expect(filesHolding(mark)).toEqual([]);
  });

  const mark = 'a long text that must go';
  const longText = mark + 'x'.repeat(600_000);

  it('finds the text of a writer that died before its release named it', async () => {
    const dying = gatedEventStore(store, async (call) => {
      if (call === 'appendMany') throw new Error('killed');
    });
    await expect(ingest(longText, '1.0', dying)).rejects.toThrow('killed');
    expect(filesHolding(mark)).not.toEqual([]);
    const releaseId = await ingest('short', '1.0');
    await start().waitFor(await erase(releaseId));
    expect(filesHolding(mark)).toEqual([]);
    expect(await bodyStreams()).toEqual([]);
  });

  it('finds the text of a writer that loses against it, at whatever call that one is', async () => {
    const eraser = start();
    let isDone = false;
    for (let paused = 1; !isDone; paused += 1) {
      const releaseId = await ingest('short', `2.${paused}`);
      let calls = 0;
      const slow = gatedEventStore(store, async (_, moment) => {
        if (moment === 'before') calls += 1;
        if (moment === 'before' && calls === paused) await eraser.waitFor(await erase(releaseId));
      });
      const answer = await ingest(longText, `2.${paused}`, slow);
      expect(answer).toBe(releaseId);
      isDone = calls < paused;
      if (isDone) await eraser.waitFor(await erase(releaseId));
      expect(filesHolding(mark), `paused at call ${paused}`).toEqual([]);
      expect(await bodyStreams()).toEqual([]);
    }
  });

  it('goes on from its checkpoint and truncates nothing for the second time', async () => {
    const first = start();
    const done = await ingest('done');
    await first.waitFor(await erase(done));
    await first.close();
    const next = await ingest('next');
    const position = await erase(next);
    const truncated: string[] = [];
    const shown: EventStore = {
      ...store,
      truncateMany: (truncations) => {
        truncated.push(...truncations.map(({ stream }) => stream));
        return store.truncateMany(truncations);
      },
    };
    await start({ store: shown, holder: 'b' }).waitFor(position);
    expect(truncated).toEqual([`release-${next}`]);
  });

  it('tries again what could not be truncated, passes nothing over, and stays alive', async () => {
    let failures = 3;
    const reluctant: EventStore = {
      ...store,
      truncateMany: async (truncations) => {
        if ((failures -= 1) >= 0) throw new Error('a reader keeps the log from being emptied');
        return store.truncateMany(truncations);
      },
    };
    const eraser = start({ store: reluctant });
    const releaseId = await ingest('stubborn');
    const position = await erase(releaseId);
    await eventually('a failure was told', () => log.lines.some(({ level }) => level === 'error'));
    expect(await eraserPosition(ops)).toBeLessThan(position);
    await eraser.waitFor(position);
    expect(await typesIn(`release-${releaseId}`)).toEqual(['ReleaseErased.v1']);
    expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(3);
  });

  it.each(['truncateMany', 'scrub'] as const)('tells what keeps it at %s, until it comes further', async (kept) => {
    let isKept = true;
    const keep = (call: typeof kept) => {
      if (isKept && call === kept) throw new Error('a reader keeps the log');
    };
    const reluctant: EventStore = {
      ...store,
      truncateMany: async (truncations) => {
        keep('truncateMany');
        return store.truncateMany(truncations);
      },
    };
    const eraser = start({ store: reluctant, scrubTexts: { ...scrubTexts, scrub: async () => keep('scrub') } });
    const position = await erase(await ingest('stubborn'));
    await eventually('it tells', async () => (await eraserFailure(ops)) === 'a reader keeps the log');
    expect(await eraserPosition(ops)).toBeLessThan(position);
    isKept = false;
    await eraser.waitFor(position);
    expect(await eraserFailure(ops)).toBeNull();
  });

  it('does it again when it was stopped between truncating and its checkpoint', async () => {
    let failures = 1;
    const forgetful: OperationalStore = {
      ...ops,
      transact: async (changes, lease) => {
        if ((failures -= 1) >= 0) throw new Error('killed');
        return ops.transact(changes, lease);
      },
    };
    const eraser = start({ ops: forgetful });
    await eraser.waitFor(await erase(await ingest('twice')));
    expect(failures).toBeLessThan(0);
  });

  it('takes what a purge erases out of the store step by step, and scrubs for all steps together', async () => {
    let scrubs = 0;
    let end = () => {};
    const scrub = () =>
      new Promise<void>((resolve) => {
        scrubs += 1;
        end = resolve;
      });
    const eraser = start({ scrubTexts: { ...scrubTexts, scrub } });
    const step = async () => {
      const releaseId = await ingest('of a purge');
      const position = await erase(releaseId, purgerActor);
      await eraser.untilTruncated(position);
      expect(await typesIn(`release-${releaseId}`)).toEqual(['ReleaseErased.v1']);
      return position;
    };
    const first = await step();
    await eventually('it scrubs', () => scrubs === 1);
    await step();
    const last = await step();
    expect(await eraserPosition(ops)).toBeLessThan(first);
    end();
    await eraser.waitFor(first);
    expect(await eraserPosition(ops)).toBeLessThan(last);
    await eventually('it scrubs what came meanwhile', () => scrubs === 2);
    end();
    await eraser.waitFor(last);
    expect(scrubs).toBe(2);
  });

  it('scrubs for a purge not before it pauses, unless somebody waits for another erasure', async () => {
    const scrubbedTo: number[] = [];
    const scrub = async (position: number) => void scrubbedTo.push(position);
    const lookMs = 250; // no look for a pause ever comes
    const sleep: Clock['sleep'] = (ms, signal) =>
      systemClock.sleep(ms === lookMs ? 3_600_000 : Math.min(ms, 20), signal);
    const clock = { ...systemClock, sleep };
    start({ clock, scrubTexts: { ...scrubTexts, scrub } });
    const waiting = { ops, clock: systemClock };
    await waitUntilTruncated(waiting, await erase(await ingest('of a purge'), purgerActor));
    expect(scrubbedTo).toEqual([]);
    const position = await erase(await ingest('of somebody'));
    await waitUntilErased(waiting, position);
    expect(scrubbedTo).toEqual([position]);
  });

  it('saves no checkpoint for events that erase nothing', async () => {
    let saved = 0;
    const counting: OperationalStore = {
      ...ops,
      transact: (changes, lease) => {
        saved += 1;
        return ops.transact(changes, lease);
      },
    };
    const eraser = start({ ops: counting });
    const { commands } = createTestRunners(store, systemClock);
    for (let org = 0; org < 20; org += 1) await commands.run(createOrg, { name: `Org ${org}` }, nextRequest());
    await eraser.waitFor(await erase(await ingest('one')));
    expect(saved).toBe(1);
  });

  it('stands by while another process erases, and takes over when that one closes', async () => {
    const first = start({ holder: 'a' });
    await first.waitFor(await erase(await ingest('by the first')));
    const second = start({ holder: 'b' });
    await first.close();
    await second.waitFor(await erase(await ingest('by the second')));
  });

  it('leaves off when it cannot scrub the live read models any more, and leaves the rest to another process', async () => {
    let isPossible = true;
    const old = start({ holder: 'old', scrubTexts: { ...scrubTexts, isPossible: async () => isPossible } });
    await old.waitFor(await erase(await ingest('by the old one')));
    isPossible = false;
    await eventually('the lease is free', async () => {
      const lease = await ops.leases.acquire('eraser', 'test', 60_000);
      if (lease !== null) await ops.leases.release(lease);
      return lease !== null;
    });
    const young = start({ holder: 'young' });
    await young.waitFor(await erase(await ingest('by the young one')));
  });

  it('does not even try for the lease before it can scrub', async () => {
    let looks = 0;
    let tries = 0;
    const acquire: OperationalStore['leases']['acquire'] = (...given) => {
      tries += 1;
      return ops.leases.acquire(...given);
    };
    const isPossible = async () => {
      looks += 1;
      return looks > 3;
    };
    const counting = { ...ops, leases: { ...ops.leases, acquire } };
    start({ ops: counting, scrubTexts: { ...scrubTexts, isPossible } });
    await eventually('it has the lease', () => tries > 0);
    expect(looks).toBeGreaterThan(3);
  });

  it('saves nothing any more once its lease was taken over', async () => {
    const eraser = start({ clock: systemClock });
    await eraser.waitFor(await erase(await ingest('mine')));
    const before = await eraserPosition(ops);
    // For a clock that is an hour ahead the lease has run out.
    const ahead = await openOps({ ...systemClock, nowMs: () => systemClock.nowMs() + 3_600_000 });
    const taken = await ahead.leases.acquire('eraser', 'b', 3_600_000);
    expect(taken).not.toBeNull();
    const releaseId = await ingest('theirs');
    const position = await erase(releaseId);
    await eventually('the text is gone', async () => (await typesIn(`release-${releaseId}`)).length === 1);
    expect(await eraserPosition(ops)).toBe(before);
    await ahead.leases.release(taken!);
    await eraser.waitFor(position);
    await ahead.close();
  });

  it('closes while it stands by, and twice', async () => {
    const lease = await ops.leases.acquire('eraser', 'somebody', 60_000);
    const eraser = start({ clock: systemClock });
    await Promise.all([eraser.close(), eraser.close()]);
    await eraser.done;
    await ops.leases.release(lease!);
  });

  it('does not keep anybody waiting for ever', async () => {
    const eraser = start({ clock: { ...hurriedClock(), nowMs: () => (lastRequest += 1_000) } });
    await expect(eraser.waitFor(1_000_000)).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});
