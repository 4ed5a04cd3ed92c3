import { describe, expect, it } from 'vitest';
import { createSearchIndex } from '../../../../src/adapters/embedded/search-index/search-index.ts';
import { systemClock } from '../../../../src/adapters/system/clock.ts';
import { countCalls } from '../../../../src/adapters/threads/counted-calls.ts';
import { nearList, towards, wordsList } from '../../../spec/search-index/harness.ts';

/** A thread that notes what it is asked for, and answers all of it when it is told to. */
const createNotingThread = () => {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const nothing = { moment: '1', answer: [{ hits: [] }], hits: [[]] };
  return {
    asked,
    answerAll: () => {
      for (const answer of waiting.splice(0)) answer();
    },
    call: (name: string) => {
      asked.push(name);
      return new Promise<never>((resolve) => void waiting.push(() => resolve(nothing as never)));
    },
  };
};

describe('what is near', () => {
  it('is looked for by both threads, unless that of the words has words to look for', async () => {
    const [words, near, other] = [createNotingThread(), createNotingThread(), createNotingThread()];
    const threads = { words: countCalls(words), near, parts: [near, words], longWords: other, writer: other };
    const index = createSearchIndex(threads, systemClock, { file: 'g1', generation: 1 });
    const together = [index.search([nearList(towards(1))]), index.search([nearList(towards(2))])];
    expect([near.asked, words.asked]).toEqual([
      ['searchPart', 'searchPart'],
      ['searchPart', 'searchPart'],
    ]);
    for (const thread of [words, near]) thread.answerAll();
    await Promise.all(together);
    const byWords = index.search([wordsList('quokka')]);
    const alone = index.search([nearList(towards(1))]);
    expect([near.asked.slice(2), words.asked.slice(2)]).toEqual([['search'], ['search']]);
    for (const thread of [words, near]) thread.answerAll();
    await Promise.all([byWords, alone]);
  });
});
