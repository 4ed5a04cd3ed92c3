import { describe, expect, it } from 'vitest';
import { createKeptNeighbours } from '../../../queries/related/kept-neighbours.ts';

const minuteMs = 60_000;
const near = [{ id: 'a', score: 0.5 }];

describe('neighbours that are kept', () => {
  it('are known for five minutes', () => {
    const { keep, known } = createKeptNeighbours();
    expect(keep('one', near, 0)).toEqual({ neighbours: near, goodForMs: 5 * minuteMs });
    expect(known('one', 5 * minuteMs - 1)).toEqual({ neighbours: near, goodForMs: 1 });
    expect(known('one', 5 * minuteMs)).toBeNull();
    expect(known('one', -1)).toBeNull();
    expect(known('other', 0)).toBeNull();
  });

  it('are no more than a thousand, the newest', () => {
    const { keep, known } = createKeptNeighbours();
    for (let number = 0; number < 1_000; number += 1) keep(`list ${number}`, near, 0);
    keep('list 0', near, 1);
    keep('one more', near, 1);
    const lost = Array.from({ length: 1_000 }, (_, number) => `list ${number}`).filter((key) => known(key, 1) === null);
    expect(lost).toEqual(['list 1']);
    expect(known('one more', 1)?.neighbours).toBe(near);
  });
});
