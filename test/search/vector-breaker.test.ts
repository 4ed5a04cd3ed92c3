import { beforeEach, describe, expect, it } from 'vitest';
import { BackendUnavailable } from '../../src/kernel/backend-unavailable.ts';
import { type SearchIndex, type SearchList, VectorsUnavailable } from '../../src/ports/search-index.ts';
import { createVectorBreaker } from '../../src/search/vector-breaker.ts';
import { createFakeClock, type FakeClock } from '../spec/fake-clock.ts';
import { createKeptLog } from '../spec/kept-log.ts';
import { nearList, towards, wordsList } from '../spec/search-index/harness.ts';

const down = 'VectorsUnavailable: down';
const refused = 'VectorsUnavailable: The vectors failed a moment ago.';
const pauseMs = 250;
const steadyMs = 10_000;

describe('the vectors of an index behind their breaker', () => {
  let clock: FakeClock;
  let log: ReturnType<typeof createKeptLog>;
  let guard: ReturnType<typeof createVectorBreaker>;
  /** What is thrown when vectors are asked for; null while they can be. */
  let failure: Error | null;
  let reached: number;

  const answer = async (lists: readonly SearchList[]) => {
    if (lists.some((list) => 'near' in list)) {
      reached += 1;
      if (failure !== null) throw failure;
    }
    return lists.map(() => ({ hits: [] }));
  };
  const vectorsOf = async () => {
    if (failure !== null) throw failure;
    return [];
  };
  /** Each request takes the generation that is live then. */
  const index = () => guard({ search: answer, vectorsOf } as Partial<SearchIndex> as SearchIndex);
  const outcomeOf = (asked: Promise<unknown>) =>
    asked.then(
      () => 'answered',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  const both = () => outcomeOf(index().search([wordsList('quokka'), nearList(towards(0))]));
  const byWords = () => outcomeOf(index().search([wordsList('quokka')]));
  const sentences = () => log.lines.map(({ level, sentence }) => `${level}: ${sentence}`);
  const begun = 'warn: vectors cannot be searched; searches find by words alone meanwhile';
  const over = 'info: vectors can be searched again';

  beforeEach(() => {
    clock = createFakeClock();
    log = createKeptLog();
    guard = createVectorBreaker({ clock, log });
    failure = null;
    reached = 0;
  });

  it('are asked once while they fail, told of once, and searched again by themselves', async () => {
    expect(await both()).toBe('answered');
    failure = new VectorsUnavailable('down');
    expect(await both()).toBe(down);
    for (let number = 0; number < 3; number += 1) expect(await both()).toBe(refused);
    expect(await byWords()).toBe('answered');
    expect([reached, sentences()]).toEqual([2, [begun]]);
    clock.advance(pauseMs);
    expect([await both(), await both(), reached]).toEqual([down, refused, 3]);
    failure = null;
    expect(await both()).toBe(refused);
    clock.advance(pauseMs);
    expect([await both(), await both()]).toEqual(['answered', 'answered']);
    expect(sentences()).toEqual([begun]);
    clock.advance(steadyMs);
    expect([await both(), await both()]).toEqual(['answered', 'answered']);
    expect(sentences()).toEqual([begun, over]);
  });

  it('are told of once, however often some searches of them fail and others do not', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      failure = turn % 2 === 0 ? new VectorsUnavailable('down') : null;
      await both();
      clock.advance(pauseMs);
    }
    expect(sentences()).toEqual([begun]);
  });

  it('are tried by one at a time', async () => {
    failure = new VectorsUnavailable('down');
    await both();
    clock.advance(pauseMs);
    failure = null;
    expect(await Promise.all([both(), both(), both()])).toEqual(['answered', refused, refused]);
  });

  it('are one outage when several fail together', async () => {
    failure = new VectorsUnavailable('down');
    expect(await Promise.all([both(), both()])).toEqual([down, down]);
    expect(sentences()).toEqual([begun]);
  });

  it('have failed, too, when those of one document cannot be read; that they can says nothing of the others', async () => {
    const ofOne = () => outcomeOf(index().vectorsOf('release', 'one', 'a space'));
    failure = new VectorsUnavailable('down');
    expect([await ofOne(), await both()]).toEqual([down, refused]);
    failure = null;
    expect([await ofOne(), await both()]).toEqual(['answered', refused]);
    expect(sentences()).toEqual([begun]);
  });

  it('are not what fails when the whole store is away', async () => {
    failure = new BackendUnavailable('OpenSearch');
    expect(await both()).toMatch(/^BackendUnavailable/);
    failure = null;
    expect(await both()).toBe('answered');
    expect(sentences()).toEqual([]);
  });

  it('are not left alone for longer because the clock was set back', async () => {
    failure = new VectorsUnavailable('down');
    await both();
    failure = null;
    clock.advance(-3_600_000);
    expect(await both()).toBe('answered');
  });
});
