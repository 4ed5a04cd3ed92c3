import { expect, it } from 'vitest';
import { createFillProgress } from '../../../src/runtime/searching/fill-progress.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';

const openProgress = () => {
  const clock = createFakeClock();
  const lines: object[] = [];
  const say = (sentence: string, notes?: object) => void lines.push({ sentence, ...notes });
  const log = { info: say, warn: say, error: say };
  const progress = createFillProgress({ clock, log, target: async () => 500 });
  const fill = async (position: number, afterMs: number) => {
    clock.advance(afterMs);
    await progress.filled({ model: 'a model', kind: 'release', documents: 20, position });
  };
  return { lines, fill, done: progress.done };
};

it('is told every ten seconds while vectors are made, and once all are', async () => {
  const { lines, fill, done } = openProgress();
  for (let step = 1; step <= 22; step += 1) await fill(step * 10, 1_000);
  const line = { sentence: 'making vectors', model: 'a model', kind: 'release', target: 500 };
  const told = [
    { ...line, documents: 220, position: 110 },
    { ...line, documents: 420, position: 210 },
  ];
  expect(lines).toEqual(told);
  done();
  done();
  expect(lines).toEqual([...told, { sentence: 'all texts have their vectors', documents: 440 }]);
});

it('is not told of what takes a moment, however often that is', async () => {
  const { lines, fill, done } = openProgress();
  for (let round = 0; round < 30; round += 1) {
    await fill(round, 9_000);
    await fill(round, 900);
    done();
  }
  expect(lines).toEqual([]);
});
