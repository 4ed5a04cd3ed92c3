import { describe, expect, it } from 'vitest';
import {
  type CodeSet,
  createCodeSet,
  type NearDocuments,
  type WantedNear,
} from '../../../../../src/adapters/embedded/search-index/codes/code-set.ts';
import {
  codeBytesOf,
  codeQuery,
  signCode,
} from '../../../../../src/adapters/embedded/search-index/codes/sign-codes.ts';
import { createSeeded, type Seeded } from '../../../../spec/seeded.ts';

const bitsOf = (byte: number): number => (byte === 0 ? 0 : (byte & 1) + bitsOf(byte >> 1));

const differentBits = (a: Buffer, b: Buffer): number =>
  a.reduce((sum, byte, index) => sum + bitsOf(byte ^ b[index]!), 0);

const vectorOf = (random: Seeded, dimensions: number): Float32Array =>
  Float32Array.from({ length: dimensions }, () => random.int(-1_000, 1_000) / 1_000);

const wantedNear = (vector: Float32Array, wanted: Partial<WantedNear>): WantedNear => ({
  query: codeQuery(vector),
  entries: 1,
  documents: 0,
  mayTake: () => true,
  ...wanted,
});

const nearestTo = (set: CodeSet, vector: Float32Array, wanted: Partial<WantedNear>) => {
  const [{ weights, areAll }] = set.nearest([wantedNear(vector, wanted)]) as [NearDocuments];
  return { ordinals: new Set(weights.keys()), areAll };
};

interface Entry {
  readonly ordinal: number;
  readonly code: Buffer;
}

/** The same in the plainest way: all bits counted, all near entries weighed. */
function naiveNearest(entries: readonly Entry[], vector: Float32Array, count: number): Set<number> {
  const { code, weights } = codeQuery(vector);
  const apart = entries.map((entry) => differentBits(entry.code, code));
  const bound = apart.toSorted((a, b) => a - b)[Math.min(count * 4, entries.length) - 1]!;
  const near = entries.filter((_, index) => apart[index]! <= bound);
  const weigh = (entry: Entry) =>
    entry.code.reduce((sum, byte, index) => Math.fround(sum) + weights[index * 256 + byte]!, 0);
  const weighed = near.map((entry) => ({ entry, weight: weigh(entry) })).sort((a, b) => b.weight - a.weight);
  return new Set(weighed.slice(0, count).map(({ entry }) => entry.ordinal));
}

describe('codes in memory', () => {
  it.each([
    [1, 32, 9_000],
    [2, 256, 9_000],
    [3, 300, 300],
    [4, 256, 20],
  ])('find the nearest of all that may be taken, whatever came and went (seed %i)', (seed, dimensions, documents) => {
    const random = createSeeded(seed);
    const set = createCodeSet(codeBytesOf(dimensions));
    const held = new Map<number, Buffer[]>();
    const put = (ordinal: number, count: number) => {
      const codes = Array.from({ length: count }, () => signCode(vectorOf(random, dimensions)));
      set.put(ordinal, Buffer.concat(codes));
      held.set(ordinal, codes);
    };
    for (let ordinal = 1; ordinal <= documents; ordinal += 1) put(ordinal, random.int(0, 3));
    for (let change = 0; change < documents / 3; change += 1) put(random.int(1, documents), random.int(0, 3));

    const mayTake = (ordinal: number) => ordinal % 3 !== 0;
    const entries = [...held].flatMap(([ordinal, codes]) =>
      mayTake(ordinal) ? codes.map((code) => ({ ordinal, code })) : [],
    );
    for (const count of [1, 5, 40, entries.length, entries.length + 1]) {
      const vector = vectorOf(random, dimensions);
      const { ordinals, areAll } = nearestTo(set, vector, { entries: count, mayTake });
      expect(areAll).toBe(count >= entries.length);
      if (areAll) expect(ordinals).toEqual(new Set(entries.map(({ ordinal }) => ordinal)));
      else expect(new Set(ordinals)).toEqual(naiveNearest(entries, vector, count));
    }
  });

  it('that were compared once give further documents where one has all that are nearest', () => {
    const random = createSeeded(5);
    const vector = vectorOf(random, 256);
    const near = () => vector.map((value) => value + random.int(-50, 50) / 1_000);
    const set = createCodeSet(codeBytesOf(256));
    set.put(1, Buffer.concat(Array.from({ length: 64 }, () => signCode(near()))));
    for (let ordinal = 2; ordinal <= 400; ordinal += 1) set.put(ordinal, signCode(vectorOf(random, 256)));
    let asked = 0;
    const mayTake = () => {
      asked += 1;
      return true;
    };
    const { ordinals, areAll } = nearestTo(set, vector, { entries: 20, documents: 10, mayTake });
    expect([ordinals.has(1), ordinals.size >= 10, areAll]).toEqual([true, true, false]);
    expect(asked).toBeLessThanOrEqual(64 + 399);
  });

  it('are the same whether a query is asked alone or with others', () => {
    const random = createSeeded(8);
    const set = createCodeSet(codeBytesOf(256));
    for (let ordinal = 1; ordinal <= 20_000; ordinal += 1) set.put(ordinal, signCode(vectorOf(random, 256)));
    const wanted = Array.from({ length: 11 }, (_, number) =>
      wantedNear(vectorOf(random, 256), { entries: 10 + number, mayTake: (ordinal) => ordinal % (number + 2) !== 0 }),
    );
    expect(set.nearest(wanted)).toEqual(wanted.flatMap((one) => set.nearest([one])));
  });

  it('of a large set are all found, though those that are looked at first are nearer than most', () => {
    const random = createSeeded(9);
    const vector = vectorOf(random, 32);
    const near = signCode(vector);
    const set = createCodeSet(codeBytesOf(32));
    const held = Array.from({ length: 65_536 }, (_, number) => {
      const code = number % 32 === 0 ? near : signCode(vectorOf(random, 32));
      set.put(number + 1, code);
      return { ordinal: number + 1, code };
    });
    for (const entries of [3, 300, 12_000]) {
      const { ordinals, areAll } = nearestTo(set, vector, { entries });
      expect(areAll).toBe(false);
      const expected = naiveNearest(held, vector, entries);
      expect([...expected].filter((ordinal) => !ordinals.has(ordinal))).toEqual([]);
    }
  });

  describe('of a large set', () => {
    const random = createSeeded(10);
    const set = createCodeSet(32);
    const vector = vectorOf(random, 256);
    const query = signCode(vector);
    const held = Array.from({ length: 65_539 }, (_, slot) => {
      const code = Buffer.from(Array.from({ length: 32 }, () => random.int(0, 255)));
      set.put(slot + 1, code);
      return { ordinal: slot + 1, code, bits: differentBits(code, query) };
    });
    const nearestBits = held.map(({ bits }) => bits).sort((a, b) => a - b);
    const isOneOfNearest = (ordinal: number): boolean => held[ordinal - 1]!.bits <= nearestBits[2_000]!;

    it.each([
      ['nearly all may be taken', (ordinal: number) => ordinal % 20 !== 0, 600],
      ['half of them may be taken', (ordinal: number) => ordinal % 64 >= 32, null],
      ['few may be taken', (ordinal: number) => ordinal % 50 === 7, null],
      // As if most of them could be, by those that are asked about to guess it.
      ['the nearest may not be taken', (ordinal: number) => ordinal % 128 === 1 || !isOneOfNearest(ordinal), null],
    ])('no others are found, and none that are nearer are left out, where %s', (_, mayTakeOrdinal, asksMax) => {
      let asks = 0;
      const mayTake = (ordinal: number): boolean => {
        asks += 1;
        return mayTakeOrdinal(ordinal);
      };
      const entries = 90;
      const [{ weights, areAll }] = set.nearest([wantedNear(vector, { entries, mayTake })]) as [NearDocuments];
      expect(areAll).toBe(false);
      if (asksMax !== null) expect(asks).toBeLessThanOrEqual(asksMax);
      expect([...weights.keys()].every(mayTakeOrdinal)).toBe(true);
      const allowed = held.filter(({ ordinal }) => mayTakeOrdinal(ordinal));
      const all = set.nearest([wantedNear(vector, { entries: held.length, mayTake: mayTakeOrdinal })])[0]!.weights;
      const expected = [...naiveNearest(allowed, vector, entries)].map((ordinal) => all.get(ordinal)!);
      const least = Math.min(...expected);
      expect([...weights.values()].filter((weight) => weight >= least).length).toBeGreaterThanOrEqual(entries);
    });
  });

  it.each([1, 2, 3, 4, 5])(
    'are those of %i documents and no others, though several are compared at once',
    (documents) => {
      const set = createCodeSet(codeBytesOf(256));
      const vector = new Float32Array(256).fill(1);
      const ordinals = Array.from({ length: documents }, (_, number) => number + 1);
      for (const ordinal of ordinals) set.put(ordinal, signCode(vector));
      const found = nearestTo(set, vector, { entries: 100 });
      expect(found).toEqual({ ordinals: new Set(ordinals), areAll: true });
    },
  );

  it('weigh as much for what they have in common with a query as against it for what they have not', () => {
    const random = createSeeded(6);
    const oneSided = vectorOf(random, 256).map((value) => Math.abs(value));
    for (const vector of [oneSided, vectorOf(random, 256)]) {
      const { weights } = codeQuery(vector);
      const weightOf = (code: Buffer) => code.reduce((sum, value, byte) => sum + weights[byte * 256 + value]!, 0);
      const code = signCode(vectorOf(random, 256));
      expect(weightOf(code) + weightOf(code.map((value) => 255 - value) as Buffer)).toBeCloseTo(0, 0);
    }
  });

  it('are alike for near vectors, whatever their length, and differ for others', () => {
    const random = createSeeded(7);
    const vector = vectorOf(random, 256);
    const near = vector.map((value) => 3 * value + random.int(-50, 50) / 1_000);
    expect(differentBits(signCode(vector), signCode(near))).toBeLessThan(30);
    expect(differentBits(signCode(vector), signCode(vectorOf(random, 256)))).toBeGreaterThan(90);
    expect(differentBits(signCode(vector), signCode(vector.map((value) => -value)))).toBe(256);
  });
});
