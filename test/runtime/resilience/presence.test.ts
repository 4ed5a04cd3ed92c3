import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import type { Leases } from '../../../src/ports/leases.ts';
import { acquirePresence, type Presence, startPresence } from '../../../src/runtime/resilience/presence.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock, type FakeClock } from '../../spec/fake-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { namesProjection, openProjectionWorld, type ProjectionWorld } from '../projector/projection-world.ts';

let clock: FakeClock;
let world: ProjectionWorld;
let leases: Leases;
let started: Presence[];

beforeEach(async () => {
  clock = createFakeClock();
  world = await openProjectionWorld(clock);
  leases = (await world.readModels.open(namesProjection('names'))).leases;
  started = [];
});
afterEach(async () => {
  for (const presence of started) await presence.close();
  await world.close();
});

const start = async (holder: string): Promise<Presence> => {
  const presence = await startPresence({ leases, clock, log: createKeptLog(), holder });
  started.push(presence);
  return presence;
};
/** The turn of whoever stood by, before this test tries for the lease itself. */
const pass = async (ms: number): Promise<void> => {
  clock.advance(ms);
  await new Promise(setImmediate);
};
const isAlone = async (): Promise<boolean> => {
  const held = await acquirePresence({ leases, clock, holder: 'migrate' });
  await held?.release();
  return held !== null;
};

describe('the presence of a process', () => {
  it('shows from the moment it has started until it is closed', async () => {
    expect(await isAlone()).toBe(true);
    const presence = await start('a');
    expect(await isAlone()).toBe(false);
    await presence.close();
    expect(await isAlone()).toBe(true);
  });

  it('goes on showing when the one of two that shows it ends', async () => {
    const first = await start('a');
    await start('b');
    await first.close();
    await eventually('the other one shows it', async () => {
      await pass(1_000);
      return !(await isAlone());
    });
  });

  it('shows again after a pause in which it ran out', async () => {
    await start('a');
    clock.advance(60_000); // as after a long pause of the whole process
    const migrating = await acquirePresence({ leases, clock, holder: 'migrate' });
    await migrating?.release();
    await eventually('it shows again', async () => {
      await pass(1_000);
      return !(await isAlone());
    });
  });

  it('waits until the store is back before it says that it shows', async () => {
    const { acquire } = leases;
    const saidSo: boolean[] = [];
    let isShown = false;
    leases = {
      ...leases,
      acquire: async (...given) => {
        saidSo.push(isShown);
        if (saidSo.length < 3) throw new BackendUnavailable('MongoDB');
        return acquire(...given);
      },
    };
    const starting = start('a').then(() => {
      isShown = true;
    });
    await eventually('it was tried again', async () => {
      await pass(1_000);
      return saidSo.length === 3;
    });
    await starting;
    expect(saidSo).toEqual([false, false, false]);
    expect(await isAlone()).toBe(false);
  });
});
