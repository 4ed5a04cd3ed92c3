import { afterEach, describe, expect, it, vi } from 'vitest';
import { orgProjection } from '../../projections/org/org.ts';
import { everythingTag } from '../../projections/tags-of-write.ts';
import { createProjectedStamp } from '../../src/compose/threads/projected-stamp.ts';
import { placeOf } from '../../src/concurrency/shared-memory/touched-tags.ts';
import { type Change, type Document, remove } from '../../src/kernel/projection.ts';

const { name, generation } = orgProjection;
const changed: readonly Change<Document>[] = [remove('org_a')];
const write = (position: number | null, changes = changed, of = generation) => ({
  ...{ name, position, changes },
  generation: of,
});

afterEach(() => void vi.restoreAllMocks());

describe('what the projector of a process tells', () => {
  /** All that another thread could find at any moment of an announcement. */
  function momentsOf(announced: ReturnType<typeof write>[] | null) {
    let isTold = false;
    const stamp = createProjectedStamp(undefined, () => {
      isTold = true;
    });
    stamp.announce([write(1)]);
    isTold = false;
    const before = stamp.value();
    const switchesBefore = stamp.switches();
    const moment = () => ({
      isTold,
      isWritten: stamp.written(name, generation) === 2,
      isKnown: stamp.toldPosition(name, generation) === 2,
      isSwitched: stamp.switches() !== switchesBefore,
      isStamped: stamp.value() !== before,
      isTouched: stamp.isTouchedSince([placeOf(everythingTag)], before),
      isThere: stamp.position(name, generation) === 2,
    });
    const moments: ReturnType<typeof moment>[] = [];
    for (const operation of ['store', 'add', 'compareExchange'] as const) {
      const original = Atomics[operation] as (...args: unknown[]) => unknown;
      vi.spyOn(Atomics, operation).mockImplementation(((...args: unknown[]) => {
        const result = original(...args);
        moments.push(moment());
        return result;
      }) as never);
    }
    stamp.announce(announced);
    return moments;
  }

  it('is told before it is known, known before the stamp, and the position behind all tags', () => {
    const moments = momentsOf([write(2)]);
    expect(moments.at(-1)).toEqual({
      ...{ isTold: true, isWritten: true, isKnown: true, isSwitched: false },
      ...{ isStamped: true, isTouched: true, isThere: true },
    });
    for (const { isTold, isWritten, isKnown, isStamped, isTouched, isThere } of moments) {
      expect(isTold || !isWritten).toBe(true);
      expect(isWritten || !isKnown).toBe(true);
      expect(isKnown || !isStamped).toBe(true);
      expect(isTouched || !isThere).toBe(true);
    }
  });

  it.each([
    ['of a switch', null],
    ['of a write that was not answered', [write(null)]],
  ])('is a switch before the stamp tells %s', (_what, announced) => {
    const moments = momentsOf(announced);
    expect(moments.at(-1)).toMatchObject({ isSwitched: true, isStamped: true });
    expect(moments.filter(({ isStamped, isSwitched }) => isStamped && !isSwitched)).toEqual([]);
  });
});

describe('generations that are fed together', () => {
  const younger = generation + 1;

  it('are told of the younger one alone, in whatever order they were written', () => {
    const told: [number, number][] = [];
    const stamp = createProjectedStamp(undefined, (each, after) => void told.push([each.generation, after]));
    stamp.announce([write(1)]);
    for (const position of [2, 3]) {
      stamp.announce([write(position, changed, younger), write(position)]);
      expect([stamp.position(name, younger), stamp.position(name, generation)]).toEqual([position, 0]);
    }
    stamp.announce([write(4), write(4, changed, younger)]);
    stamp.announce([write(5)]);
    expect([stamp.position(name, younger), stamp.written(name, younger)]).toEqual([4, 4]);
    expect(told).toEqual([
      [generation, Number.POSITIVE_INFINITY],
      [younger, Number.POSITIVE_INFINITY],
      [younger, 2],
      [younger, 3],
    ]);
  });

  it('may have been written before the first that is told of one, though that one changes nothing', () => {
    const stamp = createProjectedStamp();
    stamp.announce([write(7, [])]);
    stamp.announce([write(8, [])]);
    expect([stamp.toldPosition(name, generation), stamp.written(name, generation)]).toEqual([8, 7]);
  });

  it('are not taken for one another while the younger one begins', () => {
    const stamp = createProjectedStamp();
    stamp.announce([write(1)]);
    const load = Atomics.load as (...args: unknown[]) => unknown;
    let isFirst = true;
    vi.spyOn(Atomics, 'load').mockImplementation(((...args: unknown[]) => {
      const value = load(...args);
      if (isFirst) {
        isFirst = false; // behind the generation that was asked about
        stamp.announce([write(9, changed, younger)]);
      }
      return value;
    }) as never);
    expect(stamp.toldPosition(name, generation)).toBe(0);
  });
});
