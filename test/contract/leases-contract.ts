import { expect, it } from 'vitest';
import type { Lease, Leases } from '../../src/ports/leases.ts';

/** One value in a store, and the leases that guard its writes. */
export interface GuardedStore {
  readonly leases: Leases;
  readonly write: (lease: Lease, value: string) => Promise<'written' | 'stale_lease'>;
  readonly read: () => Promise<unknown>;
}

export interface LeasesHarness {
  readonly makeTwoOnOneBackend: () => Promise<[GuardedStore, GuardedStore]>;
  /** Lets time pass by the store's clock; with a real server that is real time. */
  readonly passTime: (ms: number) => Promise<void>;
}

const shortMs = 400;
const longMs = 600_000;

const taken = (lease: Lease | null): Lease => {
  if (!lease) throw new Error('the lease should have been free');
  return lease;
};

/** What leases promise, wherever they live. */
export function specifyLeases(harness: LeasesHarness): void {
  it('has one holder at a time, and each name is a lease of its own', async () => {
    const [a, b] = await harness.makeTwoOnOneBackend();
    const lease = taken(await a.leases.acquire('job', 'a', longMs));
    expect(lease).toEqual({ name: 'job', holder: 'a', epoch: expect.any(Number) });
    expect(await b.leases.acquire('job', 'b', longMs)).toBeNull();
    expect(await b.leases.acquire('other', 'b', longMs)).not.toBeNull();
  });

  it('is kept with its epoch when its holder asks again', async () => {
    const [a] = await harness.makeTwoOnOneBackend();
    const lease = await a.leases.acquire('job', 'a', longMs);
    expect(await a.leases.acquire('job', 'a', longMs)).toEqual(lease);
  });

  it('goes to one of many who ask at once', async () => {
    const stores = await harness.makeTwoOnOneBackend();
    const holders = Array.from({ length: 5 }, (_, i) => `holder-${i}`);
    const asked = stores.flatMap(({ leases }, i) =>
      holders.map((name) => leases.acquire('job', `${i} ${name}`, longMs)),
    );
    const given = (await Promise.all(asked)).filter((lease) => lease !== null);
    expect(given).toHaveLength(1);
  });

  it('is taken over after it has run out by the clock of the store, with a higher epoch', async () => {
    const [a, b] = await harness.makeTwoOnOneBackend();
    const first = taken(await a.leases.acquire('job', 'a', shortMs));
    expect(await b.leases.acquire('job', 'b', shortMs)).toBeNull();
    await harness.passTime(shortMs + 1);
    const second = taken(await b.leases.acquire('job', 'b', longMs));
    expect(second.epoch).toBeGreaterThan(first.epoch);
    expect(await a.leases.acquire('job', 'a', longMs)).toBeNull();
  });

  it('lasts as long as it is renewed', async () => {
    const [a, b] = await harness.makeTwoOnOneBackend();
    const lease = taken(await a.leases.acquire('job', 'a', shortMs));
    expect(await a.leases.renew(lease, longMs)).toBe(true);
    await harness.passTime(shortMs + 1);
    expect(await b.leases.acquire('job', 'b', longMs)).toBeNull();
    expect(await a.write(lease, 'kept')).toBe('written');
  });

  it('is still its holder’s after it has run out, until another takes it', async () => {
    const [a, b] = await harness.makeTwoOnOneBackend();
    const lease = taken(await a.leases.acquire('job', 'a', shortMs));
    await harness.passTime(shortMs + 1);
    expect(await a.write(lease, 'late but alone')).toBe('written');
    expect(await a.leases.renew(lease, longMs)).toBe(true);
    expect(await b.leases.acquire('job', 'b', longMs)).toBeNull();
  });

  it('can neither be renewed nor released nor written with once it is lost', async () => {
    const [a, b] = await harness.makeTwoOnOneBackend();
    const lost = taken(await a.leases.acquire('job', 'a', shortMs));
    await harness.passTime(shortMs + 1);
    const held = taken(await b.leases.acquire('job', 'b', longMs));
    expect(await a.leases.renew(lost, longMs)).toBe(false);
    await a.leases.release(lost);
    expect(await a.leases.acquire('job', 'a', longMs)).toBeNull();
    expect(await a.write(lost, 'from the past')).toBe('stale_lease');
    expect(await b.write(held, 'from the holder')).toBe('written');
    expect(await a.read()).toBe('from the holder');
  });

  it('is free at once when it is released, with a higher epoch for the next', async () => {
    const [a, b] = await harness.makeTwoOnOneBackend();
    const first = taken(await a.leases.acquire('job', 'a', longMs));
    await a.leases.release(first);
    await a.leases.release(first);
    expect(await a.write(first, 'after the release')).toBe('stale_lease');
    expect(await a.leases.renew(first, longMs)).toBe(false);
    const second = taken(await b.leases.acquire('job', 'b', longMs));
    expect(second.epoch).toBeGreaterThan(first.epoch);
    await b.leases.release(second);
    const third = taken(await a.leases.acquire('job', 'a', longMs));
    expect(third.epoch).toBeGreaterThan(second.epoch);
    expect(await a.write(first, 'an old lease of the same holder')).toBe('stale_lease');
    expect(await a.read()).toBeNull();
  });

  it('never lets two holders write, however they overlap', async () => {
    const stores = await harness.makeTwoOnOneBackend();
    let before = taken(await stores[0].leases.acquire('job', 'holder-0', shortMs));
    for (let round = 1; round <= 3; round += 1) {
      await harness.passTime(shortMs + 1);
      const [old, next] = round % 2 === 1 ? stores : [stores[1], stores[0]];
      const takeOver = async () => {
        const lease = taken(await next.leases.acquire('job', `holder-${round}`, shortMs));
        expect(await next.write(lease, `round ${round}`)).toBe('written');
        return lease;
      };
      const stale = before;
      const lateWrites = Array.from({ length: 10 }, (_, i) => old.write(stale, `late ${round}.${i}`));
      [before] = await Promise.all([takeOver(), ...lateWrites]);
      expect(await old.read()).toBe(`round ${round}`);
      expect(await old.write(stale, 'too late')).toBe('stale_lease');
    }
  });
}
