import { expect, it } from 'vitest';
import { createOutageLines } from '../../src/search/outage-lines.ts';
import { createFakeClock } from '../spec/fake-clock.ts';

const steadyMs = 10_000;

it('tells once of an outage in which some are refused and others are answered, and once that it is over', () => {
  const clock = createFakeClock();
  const lines = createOutageLines(clock);
  expect(lines.noteAnswer()).toBe(false);
  expect(lines.noteFailure()).toBe(true);
  for (let request = 0; request < 5; request += 1) {
    clock.advance(steadyMs - 1);
    expect([lines.noteAnswer(), lines.noteFailure()]).toEqual([false, false]);
  }
  clock.advance(steadyMs);
  expect([lines.noteAnswer(), lines.noteAnswer()]).toEqual([true, false]);
  expect(lines.noteFailure()).toBe(true);
});

it('is over, too, when the clock was set back', () => {
  const clock = createFakeClock();
  const lines = createOutageLines(clock);
  lines.noteFailure();
  clock.advance(-3_600_000);
  expect(lines.noteAnswer()).toBe(true);
});
