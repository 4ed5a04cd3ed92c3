import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { purgeSource } from '../../../../commands/source/purge-source.ts';
import {
  createTurnsBesideReaders,
  type TurnsBesideReadersDeps,
} from '../../../../src/runtime/jobs/purging/turns-beside-readers.ts';
import { eventually } from '../../../spec/eventually.ts';
import { createFakeClock } from '../../../spec/fake-clock.ts';
import { openPurgeWorld } from './purge-world.ts';

/** Pieces of a purge that end when the test says so, beside requests that it counts. */
function openTurns(hasPassed: TurnsBesideReadersDeps['hasPassed'] = async () => true) {
  const clock = createFakeClock();
  let requests = 0;
  const begun: number[] = [];
  const ends = new Map<number, (error?: Error) => void>();
  const inTurn = createTurnsBesideReaders({ clock, requests: () => requests, hasPassed });
  return {
    clock,
    begun,
    ask: () => {
      requests += 1;
    },
    run: (position: number) =>
      inTurn(async () => {
        begun.push(position);
        await new Promise<void>((resolve, reject) => {
          ends.set(position, (error) => (error === undefined ? resolve() : reject(error)));
        });
        return { position };
      }),
    end: async (position: number, error?: Error) => {
      ends.get(position)!(error);
      await setImmediate();
    },
  };
}

it('while nobody asks all pieces of a purge are done at once, and none rests', async () => {
  const { clock, begun, run, ask, end } = openTurns();
  ask();
  clock.advance(0);
  const first = run(1);
  await setImmediate();
  await end(1);
  clock.advance(250);
  await first;
  const others = [run(2), run(3), run(4)];
  await setImmediate();
  expect(begun).toEqual([1, 2, 3, 4]);
  for (const position of [2, 3, 4]) await end(position);
  expect(await Promise.all(others)).toEqual([{ position: 2 }, { position: 3 }, { position: 4 }]);
});

it('while somebody asks the next piece begins after a rest of twice what the last one took, but never a long one', async () => {
  const { clock, begun, run, ask, end } = openTurns();
  ask();
  const all = [run(1), run(2), run(3)];
  await setImmediate();
  expect(begun).toEqual([1]);
  clock.advance(40);
  await end(1);
  clock.advance(79);
  await setImmediate();
  expect(begun).toEqual([1]);
  clock.advance(1);
  await setImmediate();
  expect(begun).toEqual([1, 2]);
  ask();
  clock.advance(10_000);
  await end(2);
  clock.advance(200);
  await setImmediate();
  expect(begun).toEqual([1, 2, 3]);
  await end(3);
  await Promise.all(all);
});

it('while somebody asks the next piece waits until the read models have passed the last one', async () => {
  let pass = () => {};
  const waited: number[] = [];
  const { begun, run, ask, end } = openTurns(async (position) => {
    waited.push(position);
    await new Promise<void>((resolve) => {
      pass = resolve;
    });
    return true;
  });
  ask();
  const all = [run(1), run(2)];
  await setImmediate();
  await end(1);
  expect([waited, begun]).toEqual([[1], [1]]);
  pass();
  await setImmediate();
  expect(begun).toEqual([1, 2]);
  await end(2);
  pass();
  await Promise.all(all);
});

it('read models that nobody feeds are waited for once, and again when somebody does', async () => {
  const waits: number[] = [];
  let isFed = false;
  const { run, ask, end } = openTurns(async (_, timeoutMs) => {
    waits.push(timeoutMs);
    return isFed;
  });
  ask();
  const all = [1, 2, 3, 4].map(run);
  await setImmediate();
  await end(1);
  await end(2);
  isFed = true;
  await end(3);
  await end(4);
  await Promise.all(all);
  expect(waits).toEqual([250, 0, 0, 250]);
});

it('a piece that fails is told to whoever began it, and the next one begins', async () => {
  const { begun, run, ask, end } = openTurns();
  ask();
  const failing = run(1);
  const next = run(2);
  await setImmediate();
  await Promise.all([expect(failing).rejects.toThrow('away'), end(1, new Error('away'))]);
  expect(begun).toEqual([1, 2]);
  await end(2);
  await next;
});

it('beside readers a purge stores one piece after the other, and comes to the same end', async () => {
  const world = await openPurgeWorld();
  const { sourceId, releaseIds } = await world.small('Acme');
  const added = await world.ingest(sourceId, 100, 'text');
  await world.runners.commands.run(purgeSource, { sourceId, isAsked: true }, world.nextRequest());
  let requests = 0;
  let running = 0;
  const runningMax: number[] = [];
  const turns = createTurnsBesideReaders({
    clock: world.clock,
    requests: () => (requests += 1),
    hasPassed: async () => {
      runningMax.push(running);
      return true;
    },
  });
  await world.purgeAll({
    inTurn: (piece) =>
      turns(async () => {
        running += 1;
        try {
          return await piece();
        } finally {
          running -= 1;
        }
      }),
  });
  expect(runningMax.length).toBeGreaterThanOrEqual((releaseIds.length + added.length) / 25);
  expect(Math.max(...runningMax)).toBe(0);
  for (const id of [...releaseIds, ...added])
    expect(await world.typesIn(`release-${id}`)).toEqual(['ReleaseErased.v1']);
  await world.close();
});

it('a piece that is stored is done though nobody can tell how far the read models are', async () => {
  const { begun, run, ask, end } = openTurns(() => Promise.reject(new Error('the read models are away')));
  ask();
  const pieces = [run(1), run(2)];
  await setImmediate();
  await end(1);
  expect(await pieces[0]).toEqual({ position: 1 });
  await eventually('the next one begins', () => begun.length === 2);
  await end(2);
  expect(await pieces[1]).toEqual({ position: 2 });
});
