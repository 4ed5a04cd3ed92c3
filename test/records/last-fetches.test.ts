import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedOperationalStore } from '../../src/adapters/embedded/operational-store/operational-store.ts';
import { toTimestamp } from '../../src/kernel/dates.ts';
import type { OperationalStore } from '../../src/ports/operational-store.ts';
import { type FetchState, neverFetched } from '../../src/records/fetch-state.ts';
import {
  type ContactChange,
  contactChangesDeclaration,
  type ContactDocument,
  createLastFetches,
} from '../../src/records/last-fetches.ts';
import {
  contactChanges,
  createSourceContacts,
  removeSourceContact,
  type SourceContacts,
  sourceContactsDeclaration,
} from '../../src/records/source-contacts.ts';
import { createFakeClock, type FakeClock } from '../spec/fake-clock.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

let folder: TempFolder;
let clock: FakeClock;
let ops: OperationalStore;
let contacts: SourceContacts;

beforeEach(async () => {
  folder = createTempFolder();
  clock = createFakeClock();
  const onFatal = (error: Error) => {
    throw error;
  };
  ops = await createEmbeddedOperationalStore({ folder: folder.path, clock, onFatal });
  contacts = await createSourceContacts(ops, clock);
});
afterEach(async () => {
  await ops.close();
  folder.remove();
});

describe('when sources were last fetched', () => {
  it('is known as of each call, whoever was in contact with them', async () => {
    expect([...(await contacts.lastFetches()).times]).toEqual([]);
    const other = await createSourceContacts(ops, clock);
    for (let round = 1; round <= 3; round += 1) {
      for (const [process, sourceId] of [
        [contacts, 'src_a'],
        [other, 'src_b'],
        [other, `src_round${round}`],
      ] as const) {
        clock.advance(20_000);
        await process.recordIngest(sourceId, round);
      }
      for (const process of [contacts, other]) {
        const known = (await process.lastFetches()).times;
        expect([known.get('src_a'), known.get('src_b'), known.get(`src_round${round}`)]).toEqual([round, round, round]);
        expect(known.size).toBe(2 + round);
      }
    }
  });

  it('is not missed where the clock of the store was a little behind', async () => {
    const reader = await createSourceContacts(ops, createFakeClock(clock.nowMs()));
    await contacts.recordIngest('src_a', 1);
    await reader.lastFetches();
    clock.advance(-5_000);
    await contacts.recordFetch('src_b', 2);
    expect((await reader.lastFetches()).times.get('src_b')).toBe(2);
  });

  it('is not missed after the clock was set back, and never goes back itself', async () => {
    await contacts.recordIngest('src_a', 5);
    await contacts.recordIngest('src_ahead', 5); // its stamp stays ahead of the clock
    await contacts.lastFetches();
    clock.advance(-3_600_000);
    await contacts.recordIngest('src_b', 2);
    await contacts.recordIngest('src_a', 4); // by whoever began earlier
    const known = (await contacts.lastFetches()).times;
    expect([known.get('src_a'), known.get('src_b')]).toEqual([5, 2]);
    expect((await contacts.states(['src_a']))[0]!.lastFetchedAt).toBe(toTimestamp(5));
    // Written just after that look, and looked for when more time has passed than is looked at again.
    clock.advance(1_000);
    await contacts.recordIngest('src_c', 3);
    clock.advance(15_000);
    expect((await contacts.lastFetches()).times.get('src_c')).toBe(3);
    await contacts.recordIngest('src_d', 4);
    clock.advance(15_000);
    expect((await contacts.lastFetches()).times.get('src_d')).toBe(4);
  });

  it('is not missed after the clock was set back, where no stamp of before is left', async () => {
    await contacts.recordIngest('src_a', 5);
    await contacts.lastFetches();
    clock.advance(-3_600_000);
    await contacts.recordIngest('src_a', 6);
    await contacts.lastFetches();
    clock.advance(1_000);
    await contacts.recordIngest('src_b', 7);
    expect((await contacts.lastFetches()).times.get('src_b')).toBe(7);
  });

  it('is not missed where the clock of the store is ahead of ours, or was set back alone', async () => {
    const [own, farBehind] = [createFakeClock(clock.nowMs()), createFakeClock(clock.nowMs() - 60_000)];
    const readers = [await createSourceContacts(ops, own), await createSourceContacts(ops, farBehind)];
    await contacts.recordIngest('src_a', 1);
    for (const reader of readers) expect((await reader.lastFetches()).times.get('src_a')).toBe(1);
    clock.advance(-3_600_000);
    await contacts.recordIngest('src_b', 2);
    own.advance(600_000);
    farBehind.advance(600_000);
    for (const reader of readers) expect((await reader.lastFetches()).times.get('src_b')).toBe(2);
  });

  it('is told apart from when they were last in contact, in vain or not', async () => {
    const readers = [contacts, await createSourceContacts(ops, clock)];
    await contacts.recordIngest('src_a', 5);
    await readers[0]!.lastFetches();
    const polled = { state: { lastPolledAt: toTimestamp(9) } };
    await ops.transact(contactChanges('src_b', null, polled));
    // One has seen all before and follows; the other reads all.
    for (const reader of readers) {
      const known = await reader.lastFetches();
      expect([[...known.times], Object.fromEntries(known.contacts)]).toEqual([[['src_a', 5]], { src_a: 5, src_b: 9 }]);
    }
  });

  it('is known within minutes of what a version without changes writes while both run', async () => {
    await contacts.lastFetches();
    const doc = { id: 'src_old', state: { ...neverFetched, lastFetchedAt: toTimestamp(9) } };
    await ops.transact([{ kind: 'put', collection: sourceContactsDeclaration.name, doc }]);
    clock.advance(600_000);
    expect((await contacts.lastFetches()).times.get('src_old')).toBe(9);
  });

  it('is known of sources whose contacts were written before changes were', async () => {
    const state = { ...neverFetched, lastFetchedAt: toTimestamp(7) };
    const collection = sourceContactsDeclaration.name;
    const put = (name: string, stored: FetchState) => {
      const doc = { id: `src_${name}`, state: stored };
      return { kind: 'put' as const, collection, doc };
    };
    const puts = Array.from({ length: 1_001 }, (_, index) => put(`${index}`, state));
    await ops.transact([...puts, put('never', neverFetched)]);
    const known = (await contacts.lastFetches()).times;
    expect([known.size, known.get('src_1000'), known.get('src_never')]).toEqual([1_001, 7, undefined]);
  });

  it('is read in many steps where much has changed', async () => {
    await contacts.lastFetches();
    const collection = contactChangesDeclaration.name;
    const change = (index: number) => ({
      kind: 'put' as const,
      collection,
      doc: { id: `src_${index}`, lastFetchedAt: toTimestamp(index), changedMs: 5 },
    });
    await ops.transact(Array.from({ length: 1_200 }, (_, index) => change(index)));
    const known = (await contacts.lastFetches()).times;
    expect([known.size, known.get('src_1199')]).toEqual([1_200, 1_199]);
  });

  it('is not read again once nothing can be seen late', async () => {
    const collection = contactChangesDeclaration.name;
    const stored = await ops.collection<ContactChange>(contactChangesDeclaration);
    let rowsRead = 0;
    const changes: typeof stored = {
      ...stored,
      query: async (page) => {
        const rows = await stored.query(page);
        rowsRead += rows.length;
        return rows;
      },
    };
    const all = await ops.collection<ContactDocument>(sourceContactsDeclaration);
    const lastFetches = createLastFetches({ contacts: all, changes, clock });
    const firstMs = clock.nowMs() - 1_200;
    const change = (index: number, changedMs: number) => ({
      kind: 'put' as const,
      collection,
      doc: { id: `src_${index}`, lastFetchedAt: toTimestamp(index), changedMs },
    });
    await ops.transact(Array.from({ length: 1_200 }, (_, index) => change(index, firstMs + index)));
    const readBy = async (elapsedMs: number): Promise<number> => {
      clock.advance(elapsedMs);
      rowsRead = 0;
      await lastFetches();
      return rowsRead;
    };
    expect([await readBy(0), await readBy(9_999), await readBy(1), await readBy(0)]).toEqual([1_200, 1_200, 1_200, 0]);
    await ops.transact([change(1_200, clock.nowMs())]);
    expect([await readBy(0), await readBy(9_999), await readBy(1), await readBy(0)]).toEqual([1, 1, 1, 0]);
    expect((await lastFetches()).times.get('src_1200')).toBe(1_200);
  });

  it('is not missed where it is seen ten seconds after what was stamped later', async () => {
    const own = createFakeClock(clock.nowMs());
    const reader = await createSourceContacts(ops, own);
    await contacts.recordIngest('src_a', 1);
    await reader.lastFetches();
    own.advance(9_000);
    await reader.lastFetches();
    clock.advance(-9_000);
    await contacts.recordFetch('src_b', 2);
    own.advance(1_000);
    expect((await reader.lastFetches()).times.get('src_b')).toBe(2);
  });

  it('from a clock that was ahead is corrected by the next contact', async () => {
    await contacts.recordFetch('src_a', clock.nowMs() + 86_400_000);
    await contacts.recordFetch('src_a', clock.nowMs());
    expect((await contacts.lastFetches()).times.get('src_a')).toBe(clock.nowMs());
    const now = toTimestamp(clock.nowMs());
    expect(await contacts.states(['src_a'])).toMatchObject([{ lastPolledAt: now, changeDetectedAt: now }]);
  });

  it('leaves nothing of a source that is purged, in memory after some minutes', async () => {
    await contacts.recordIngest('src_a', 1);
    await contacts.recordIngest('src_b', 1);
    await contacts.lastFetches();
    await removeSourceContact(ops, 'src_b');
    await removeSourceContact(ops, 'src_a');
    clock.advance(600_000);
    expect([...(await contacts.lastFetches()).times]).toEqual([]);
    for (const declaration of [sourceContactsDeclaration, contactChangesDeclaration]) {
      expect(await (await ops.collection(declaration)).scan('', 10)).toEqual([]);
    }
  });
});
