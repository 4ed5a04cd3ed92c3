import { beforeEach, expect, it } from 'vitest';
import { createKeptLatest, type KeptLatest } from '../../../queries/releases/kept-latest.ts';

type Deps = Parameters<KeptLatest>[0];

let seen: string;
let checkpoint: number;
let dueMs: number | null;
let made: number;
let keptLatest: KeptLatest;
let later: { readonly ms: number; readonly run: () => void }[];

/** As much of a view as is asked. */
const viewOf = (models: object): Deps =>
  ({
    catalogue: { seen: () => seen },
    models: Object.assign(models, {
      of: () => ({
        checkpoint: async () => checkpoint,
        query: async () => (dueMs === null ? [] : [{ publishedMs: dueMs }]),
      }),
    }),
  }) as unknown as Deps;

let view: Deps;

const ask = async (nowMs: number, whileMaking = () => {}) => {
  const { isHit } = await keptLatest(view, nowMs, async () => {
    made += 1;
    whileMaking();
    return Buffer.from('{"releases":[]}');
  });
  return isHit ? 'HIT' : 'MISS';
};

beforeEach(() => {
  [seen, checkpoint, dueMs, made] = ['1', 1, null, 0];
  later = [];
  keptLatest = createKeptLatest((ms, run) => void later.push({ ms, run }));
  view = viewOf({});
});

it('is made once for five minutes, while nothing changes', async () => {
  expect([await ask(0), await ask(1), await ask(299_999), await ask(300_000)]).toEqual(['MISS', 'HIT', 'HIT', 'MISS']);
  expect(made).toBe(2);
});

it('is made again when the rows, the catalogue or the generations are others', async () => {
  await ask(0);
  checkpoint = 2;
  expect(await ask(1)).toBe('MISS');
  seen = '2';
  expect(await ask(2)).toBe('MISS');
  view = viewOf({});
  expect(await ask(3)).toBe('MISS');
  expect(await ask(4)).toBe('HIT');
});

it('is made again when something was projected while it was made', async () => {
  await ask(0, () => {
    checkpoint = 2;
  });
  expect(await ask(1)).toBe('MISS');
});

it('is made again when a release is no longer to come, and after the clock was set back', async () => {
  dueMs = 100_000;
  expect([await ask(0), await ask(39_999), await ask(40_000)]).toEqual(['MISS', 'HIT', 'MISS']);
  expect(await ask(39_000)).toBe('MISS');
});

it('goes by itself after five minutes, and does not take a newer one with it', async () => {
  await ask(0);
  expect(later.map(({ ms }) => ms)).toEqual([300_000]);
  checkpoint = 2;
  await ask(1);
  later[0]?.run();
  expect(await ask(2)).toBe('HIT');
  later[1]?.run();
  expect(await ask(3)).toBe('MISS');
});

it('is not kept beyond a failure to make another', async () => {
  await ask(0);
  checkpoint = 2;
  const failing = keptLatest(view, 1, () => Promise.reject(new Error('away')));
  await expect(failing).rejects.toThrow('away');
  checkpoint = 1;
  expect(await ask(2)).toBe('MISS');
});
