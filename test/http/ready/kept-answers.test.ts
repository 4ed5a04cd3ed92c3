import { describe, expect, it } from 'vitest';
import { createKeptAnswers, keepable, type KeptAnswer } from '../../../src/http/ready/kept-answers.ts';

const answerBytes = 1_000;
/** With all that is counted beside the bytes. */
const keptBytes = answerBytes + 2_200;

const goodFor = { places: [], stamp: 0, epoch: 0, madeMs: 0, untilMs: Number.POSITIVE_INFINITY };

/** As a route does: what is found is sent, all else is made, and some of it kept. */
function setUp(answersMax: number) {
  const old = new Set<KeptAnswer>();
  let mostBytes = 0;
  const answers = createKeptAnswers(answersMax * keptBytes, (kept) => !old.has(kept));
  const plain = { etag: '"tag"', bytes: Buffer.alloc(answerBytes) };
  const keep = (address: string): void => {
    const kept = keepable(address, {
      status: 200,
      headers: {},
      plain,
      lastModified: undefined,
      routeNumber: 1,
      goodFor,
    });
    answers.put(kept, address);
    answers.name(kept, address);
  };
  const ask = (address: string): boolean => {
    const kept = answers.ofAddress(address);
    if (kept !== undefined && !old.has(kept)) {
      kept.uses += 1;
      return true;
    }
    if (answers.takesIn(address)) keep(address);
    mostBytes = Math.max(mostBytes, answers.counts().bytes);
    return false;
  };
  const askAll = (count: number, named: string): number =>
    Array.from({ length: count }, (_, number) => ask(`/${named}/${number}`)).filter((isFound) => isFound).length;
  const isBounded = () => mostBytes > 0 && mostBytes <= answersMax * keptBytes;
  return { answers, ask, askAll, keep, isBounded, makeOld: (address: string) => old.add(answers.ofAddress(address)!) };
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
});
