import { describe, expect, it } from 'vitest';
import { createRemembered } from '../../../src/http/rate-limits/remembered.ts';

/** How often each text was computed. */
function setUp() {
  const computed = new Map<string, number>();
  const lengthOf = createRemembered((text) => {
    computed.set(text, (computed.get(text) ?? 0) + 1);
    return text.length;
  });
  return { lengthOf, timesComputed: (text: string) => computed.get(text) ?? 0 };
}

describe('what is remembered', () => {
  it('is computed once, as long as it is asked for often', () => {
    const { lengthOf, timesComputed } = setUp();
    expect([lengthOf('/v1/orgs'), lengthOf('/v1/orgs'), timesComputed('/v1/orgs')]).toEqual([8, 8, 1]);
  });

  it('takes no more memory than it may: neither many texts nor long ones stay', () => {
    const { lengthOf, timesComputed } = setUp();
    lengthOf('first');
    for (let number = 0; number < 10_000; number += 1) lengthOf(`other ${number}`);
    expect([lengthOf('first'), timesComputed('first')]).toEqual([5, 2]);
    const long = 'x'.repeat(10_000);
    expect([lengthOf(long), lengthOf(long), timesComputed(long)]).toEqual([10_000, 10_000, 2]);
  });
});
