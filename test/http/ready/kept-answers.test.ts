import { describe, expect, it } from 'vitest';
import { countMax } from '../../../src/http/ready/asked-counts.ts';
import { createKeptAnswers, keepable, type KeptAnswer } from '../../../src/http/ready/kept-answers.ts';
import { memoryInUse } from '../../spec/memory-in-use.ts';

const answerBytes = 1_000;
/** With all that is counted beside the bytes. */
const keptBytes = answerBytes + 2_200;

const goodFor = { places: [], stamp: 0, epoch: 0, madeMs: 0, untilMs: Number.POSITIVE_INFINITY };

const answerOf = (bytes: number) => ({
  status: 200,
  headers: {},
  plain: { etag: '"tag"', bytes: Buffer.alloc(bytes) },
  lastModified: undefined,
  routeNumber: 1,
  goodFor,
});

/** As a route does: what is found is sent, all else is made, and some of it kept. */
function setUp(answersMax: number) {
  const old = new Set<KeptAnswer>();
  let mostBytes = 0;
  const answers = createKeptAnswers(answersMax * keptBytes, (kept) => !old.has(kept));
  const keep = (address: string, { bytes = answerBytes, isPromised = false } = {}): void => {
    const kept = keepable(address, answerOf(bytes), isPromised);
    answers.put(kept, address);
    answers.name(kept, () => address);
    mostBytes = Math.max(mostBytes, answers.counts().bytes);
  };
  const note = (address: string, asks: number): void => {
    for (let number = 0; number < asks; number += 1) answers.takesIn(address);
  };
  const ask = (address: string): boolean => {
    const kept = answers.ofAddress(address);
    if (kept !== undefined && !old.has(kept)) {
      kept.uses += 1;
      return true;
    }
    if (answers.takesIn(address)) keep(address);
    return false;
  };
  const askAll = (count: number, named: string): number =>
    Array.from({ length: count }, (_, number) => ask(`/${named}/${number}`)).filter((isFound) => isFound).length;
  const isBounded = () => mostBytes > 0 && mostBytes <= answersMax * keptBytes;
  const makeOld = (address: string) => old.add(answers.ofAddress(address)!);
  return { answers, ask, askAll, keep, note, isBounded, makeOld };
}

describe('where more is asked for than there is room', () => {
  it('what is asked for again and again stays while ten thousand others are asked for once', () => {
    const { answers, askAll, isBounded } = setUp(200);
    askAll(200, 'earlier');
    for (let turn = 0; turn < 4; turn += 1) askAll(50, 'hot');
    const { evictions } = answers.counts();
    expect(askAll(10_000, 'others')).toBe(0);
    expect(isBounded()).toBe(true);
    // But for the few that seem to have been asked for before, nothing was kept of them.
    expect(answers.counts().evictions - evictions).toBeLessThan(100);
    expect(askAll(50, 'hot')).toBe(50);
  });

  it('a second walk through all finds what the first had room for, and a third the rest of the room', () => {
    const { answers, askAll, isBounded } = setUp(7_000);
    expect(askAll(10_000, 'all')).toBe(0);
    expect(askAll(10_000, 'all')).toBeGreaterThan(10_000 / 3);
    expect(askAll(10_000, 'all')).toBeGreaterThan(10_000 / 2);
    expect(answers.counts().evictions).toBeLessThan(100);
    expect(isBounded()).toBe(true);
  });

  it('what is asked for more often takes the place of what is asked for less', () => {
    const { ask, askAll } = setUp(100);
    for (let turn = 0; turn < 2; turn += 1) askAll(200, 'earlier');
    const turns = Array.from({ length: 5 }, () => ask('/newcomer'));
    expect(turns).toEqual([false, false, false, true, true]);
  });

  it('what was asked for often long ago makes room for what is now', () => {
    const { askAll } = setUp(100);
    for (let turn = 0; turn < 20; turn += 1) askAll(80, 'former');
    askAll(150_000, 'once');
    for (let turn = 0; turn < 4; turn += 1) askAll(80, 'present');
    expect(askAll(80, 'present')).toBeGreaterThan(60);
  });

  it('what is old goes first, however often it was asked for', () => {
    const { answers, ask, askAll, keep, makeOld } = setUp(10);
    for (let turn = 0; turn < 9; turn += 1) askAll(2, 'often');
    makeOld('/often/1');
    for (let number = 0; number < 9; number += 1) keep(`/more/${number}`);
    expect(answers.counts()).toMatchObject({ entries: 10, evictions: 0 });
    expect([answers.ofAddress('/often/1'), ask('/often/0')]).toEqual([undefined, true]);
  });

  it('an answer that everybody asks for stays as much so when it is made again', () => {
    const { answers, askAll, keep } = setUp(20);
    for (let turn = 0; turn < 9; turn += 1) askAll(1, 'often');
    keep('/often/0');
    for (let turn = 0; turn < 3; turn += 1) askAll(100, 'more');
    expect(answers.ofAddress('/often/0')).toBeDefined();
  });

  it('what is asked for once is kept while there is much room; then what is asked for again', () => {
    const { answers, keep } = setUp(40);
    const takesIn = (number: number) => answers.takesIn(`/${number}`);
    expect([takesIn(0), takesIn(0)]).toEqual([true, true]);
    for (let number = 0; number < 21; number += 1) keep(`/kept/${number}`);
    expect(answers.counts().bytes).toBeGreaterThan((40 * keptBytes) / 2);
    expect(answers.takesIn('/kept/0')).toBe(true); // it is made again when it is old, and asked for again as well
    expect([takesIn(1), takesIn(1)]).toEqual([false, true]);
    for (let number = 2; number < 100_000; number += 1) takesIn(number);
    expect([takesIn(99_999), takesIn(1)]).toEqual([true, false]); // the other one is so long ago that it is forgotten
  });

  it('what is asked for no more than all others is not even made ready', () => {
    const { answers, keep, note } = setUp(40);
    for (let number = 0; number < 40; number += 1) {
      note(`/often/${number}`, 3);
      keep(`/often/${number}`);
    }
    expect(Array.from({ length: 4 }, () => answers.takesIn('/newcomer'))).toEqual([false, false, false, true]);
  });

  it('what is asked for as often as can be counted gets in, however often all others were', () => {
    const { answers, ask, keep, note, isBounded } = setUp(39); // of these, 40 are small enough
    for (let number = 0; number < 40; number += 1) {
      note(`/often/${number}`, 3);
      keep(`/often/${number}`);
    }
    for (let turn = 0; turn < 50; turn += 1) {
      for (let number = 0; number < 40; number += 1) ask(`/often/${number}`);
    }
    answers.ofAddress('/often/7')!.uses = 20;
    const turns = Array.from({ length: countMax + 1 }, () => ask('/newcomer'));
    expect(turns.indexOf(true)).toBe(countMax);
    expect([isBounded(), answers.counts()]).toMatchObject([true, { entries: 40, evictions: 1 }]);
    expect(answers.ofAddress('/often/7')).toBeUndefined(); // the one that is asked for least of them
  });

  it('what is asked for as often as can be counted does not drive out its equals again and again', () => {
    const { answers, askAll, isBounded } = setUp(100);
    for (let turn = 0; turn < 120; turn += 1) askAll(150, 'equals');
    // Each has to be asked for so often anew, and there is no room for 60 of them.
    expect(answers.counts().evictions).toBeLessThan((2 * 60 * 120) / countMax);
    expect(answers.counts().evictions).toBeGreaterThan(0);
    expect(isBounded()).toBe(true);
  });

  it('a large answer does not drive out many that are each asked for more', () => {
    const { answers, keep, note, isBounded } = setUp(40);
    const often = Array.from({ length: 39 }, (_, number) => `/often/${number}`);
    const oftenKept = () => often.filter((address) => answers.ofAddress(address) !== undefined).length;
    for (const address of often) {
      note(address, 6);
      keep(address);
    }
    note('/seldom', 2);
    keep('/seldom');
    const large = { bytes: 4 * keptBytes };
    note('/large', 3);
    keep('/large', large);
    expect([answers.ofAddress('/large'), oftenKept()]).toEqual([undefined, 39]);
    expect([answers.ofAddress('/seldom')?.key, answers.counts().evictions]).toEqual(['/seldom', 0]);
    note('/large', 5);
    const { evictions } = answers.counts();
    keep('/large', large);
    expect(answers.ofAddress('/large')).toBeDefined();
    expect(oftenKept()).toBeLessThan(39);
    expect(answers.counts().evictions).toBeGreaterThan(evictions);
    expect(isBounded()).toBe(true);
  });

  it('one that has grown stays before those that are asked for as much, and goes before those that are for more', () => {
    for (const [itsAsks, isKept] of [
      [3, true],
      [2, false],
    ] as const) {
      const { answers, keep, note } = setUp(40);
      note('/grown', itsAsks);
      keep('/grown');
      const grown = answers.ofAddress('/grown')!;
      for (let number = 0; answers.counts().bytes < 39 * keptBytes; number += 1) {
        note(`/other/${number}`, 3);
        keep(`/other/${number}`);
      }
      for (const letter of 'abc') answers.name(grown, () => `/grown?${letter.repeat(2_000)}`);
      expect(answers.ofAddress('/grown') === grown).toBe(isKept);
      expect(answers.counts().bytes).toBeLessThanOrEqual(40 * keptBytes);
    }
  });

  it('what is promised stays while it is good, whoever else is asked for', () => {
    const { answers, askAll, keep, isBounded, makeOld } = setUp(40);
    for (let turn = 0; turn < 3; turn += 1) askAll(60, 'earlier');
    keep('/promised', { isPromised: true });
    for (let turn = 0; turn < 9; turn += 1) askAll(60, 'later');
    expect(answers.counts().evictions).toBeGreaterThan(20);
    expect(answers.ofAddress('/promised')).toBeDefined();
    makeOld('/promised');
    for (let turn = 0; turn < 15; turn += 1) askAll(60, 'last');
    expect(answers.ofAddress('/promised')).toBeUndefined();
    expect(isBounded()).toBe(true);
  });

  it('whatever is promised, there is no more of it than there is room', () => {
    const { answers, keep, isBounded } = setUp(40);
    for (let number = 0; number < 100; number += 1) keep(`/promised/${number}`, { isPromised: true });
    expect(answers.counts()).toMatchObject({ evictions: 0 });
    expect(isBounded()).toBe(true);
  });
});

const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('what was kept once and is no longer is held by nothing', async () => {
  let isGood = (_number: number): boolean => true;
  const answers = createKeptAnswers(300 * keptBytes, ({ key }) => isGood(Number(key)));
  const keepSome = (turn: number) =>
    Array.from({ length: 200 }, (_, number) => {
      const kept = keepable(`${number}`, answerOf(answerBytes));
      answers.put(kept, `/${turn}/${number}`);
      return new WeakRef(kept);
    });
  const gone: WeakRef<KeptAnswer>[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    gone.push(...keepSome(turn));
    // Some first, so that those that stay are moved.
    for (const stays of [(number: number) => number % 3 > 0, () => false]) {
      isGood = stays;
      answers.sweep();
    }
    isGood = () => true;
  }
  expect(answers.counts()).toMatchObject({ entries: 0, bytes: 0 });
  await macrotask(); // until then, whoever has made a reference keeps what it is to
  memoryInUse(); // collects the garbage
  expect(gone.filter((kept) => kept.deref() !== undefined)).toHaveLength(0);
});
