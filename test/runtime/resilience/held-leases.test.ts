import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import type { Leases } from '../../../src/ports/leases.ts';
import { acquireLeases, LeaseLost, whileHeld } from '../../../src/runtime/resilience/held-leases.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock, type FakeClock } from '../../spec/fake-clock.ts';
import { namesProjection, openProjectionWorld, type ProjectionWorld } from '../projector/projection-world.ts';

const ttlMs = 15_000;

let clock: FakeClock;
let world: ProjectionWorld;
let leases: Leases;
let renewals: number;

beforeEach(async () => {
  clock = createFakeClock();
  world = await openProjectionWorld(clock);
  const stored = (await world.readModels.open(namesProjection('names'))).leases;
  renewals = 0;
  leases = { ...stored, renew: (...given) => stored.renew(...given).finally(() => (renewals += 1)) };
});
afterEach(() => world.close());

const take = (holder: string, ...names: string[]) =>
  acquireLeases(
    names.map((name) => ({ leases, name })),
    { holder, ttlMs, clock },
  );

describe('leases that are held', () => {
  it('are kept for as long as the work takes, and given back then', async () => {
    const held = (await take('a', 'one', 'two'))!;
    const result = await whileHeld(held, async () => {
      for (let round = 1; round <= 6; round += 1) {
        clock.advance(ttlMs / 3);
        await eventually('both were renewed', () => renewals >= 2 * round);
        expect(await take('b', 'one')).toBeNull();
      }
      return 'done';
    });
    expect(result).toBe('done');
    expect(await take('b', 'one', 'two')).not.toBeNull();
  });

  it('end the work when one of them is lost', async () => {
    const held = (await take('a', 'one', 'two'))!;
    const working = whileHeld(held, async (over) => {
      clock.advance(ttlMs); // as after a long pause of the whole process
      expect(await leases.acquire('two', 'b', ttlMs)).not.toBeNull();
      await eventually('the work is told', () => over.aborted);
    });
    await expect(working).rejects.toThrow(LeaseLost);
  });

  it('do not hide how the work ended when they cannot be given back in an outage', async () => {
    const release = () => Promise.reject(new BackendUnavailable('MongoDB'));
    leases = { ...leases, release };
    expect(await whileHeld((await take('a', 'one'))!, async () => 'done')).toBe('done');
    const failing = whileHeld((await take('a', 'two'))!, () => Promise.reject(new Error('no room on the disk')));
    await expect(failing).rejects.toThrow('no room on the disk');
  });

  it('tell when they cannot be given back for another reason', async () => {
    leases = { ...leases, release: () => Promise.reject(new Error('the disk is strange')) };
    await expect(whileHeld((await take('a', 'one'))!, async () => 'done')).rejects.toThrow('the disk is strange');
  });

  it('are all taken or none', async () => {
    const other = (await take('b', 'two'))!;
    expect(await take('a', 'one', 'two')).toBeNull();
    expect(await take('c', 'one')).not.toBeNull();
    await other.release();
  });
});
