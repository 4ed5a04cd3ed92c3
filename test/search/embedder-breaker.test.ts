import { beforeEach, describe, expect, it } from 'vitest';
import { type Embedder, EmbedderUnavailable, type Meaning } from '../../src/ports/embedder.ts';
import { createEmbedderBreaker } from '../../src/search/embedder-breaker.ts';
import { createFakeClock, type FakeClock } from '../spec/fake-clock.ts';
import { createKeptLog } from '../spec/kept-log.ts';

interface Call {
  readonly answer: () => void;
  readonly fail: (error?: Error) => void;
}

const query = { isQuery: true };
const down = 'EmbedderUnavailable: down';
const refused = 'EmbedderUnavailable: The embedder failed a moment ago.';

describe('an embedder behind its breaker', () => {
  let clock: FakeClock;
  let log: ReturnType<typeof createKeptLog>;
  /** What reached the embedder and was not answered yet, and how many there were. */
  let calls: Call[];
  let reached: number;
  let embedder: Embedder;

  beforeEach(() => {
    clock = createFakeClock();
    log = createKeptLog();
    calls = [];
    reached = 0;
    const embed = () =>
      new Promise<Meaning[]>((resolve, reject) => {
        reached += 1;
        calls.push({
          answer: () => resolve([null]),
          fail: (error) => reject(error ?? new EmbedderUnavailable('down')),
        });
      });
    const remote = { model: 'remote', space: 'remote', dimensions: 3, embed, close: async () => {} };
    embedder = createEmbedderBreaker({ embedder: remote, clock, log });
  });

  const ask = (options?: { readonly isQuery: boolean }) =>
    embedder.embed(['text'], options).then(
      () => 'answered',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  /** What becomes of a call that nobody answers. */
  const outcomeAtOnce = (options?: { readonly isQuery: boolean }) => {
    const before = reached;
    const asked = ask(options);
    return reached === before ? asked : 'it waits for the embedder';
  };
  const answerNext = () => calls.shift()!.answer();
  const failNext = (error?: Error) => calls.shift()!.fail(error);

  /** One call that reaches it and fails. */
  const failOnce = async () => {
    const asked = ask(query);
    failNext();
    expect(await asked).toBe(down);
  };
  /** A query that is answered when nothing has failed for so long that it is over. */
  const answeredLater = async () => {
    clock.advance(10_000);
    const asked = ask(query);
    answerNext();
    expect(await asked).toBe('answered');
  };
  const levels = () => log.lines.map(({ level }) => level);

  it('is asked as ever while it answers', async () => {
    const asked = [ask(query), ask()];
    answerNext();
    answerNext();
    expect(await Promise.all(asked)).toEqual(['answered', 'answered']);
    expect([embedder.model, embedder.dimensions, log.lines]).toEqual(['remote', 3, []]);
  });

  it('is not asked for a second after it failed, for queries and fills alike', async () => {
    await failOnce();
    clock.advance(999);
    expect([await outcomeAtOnce(query), await outcomeAtOnce()]).toEqual([refused, refused]);
    expect(reached).toBe(1);
    clock.advance(1);
    const asked = ask(query);
    answerNext();
    expect(await asked).toBe('answered');
  });

  it('is left alone twice as long after each further failure, up to a minute', async () => {
    const pausesMs = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000];
    for (const pauseMs of pausesMs) {
      await failOnce();
      clock.advance(pauseMs - 1);
      expect(await outcomeAtOnce(query)).toBe(refused);
      clock.advance(1);
    }
    expect([reached, levels()]).toEqual([pausesMs.length, ['warn']]);
  });

  it('begins with a short pause again after it was back', async () => {
    await failOnce();
    clock.advance(1_000);
    await failOnce();
    clock.advance(2_000);
    const back = ask(query);
    answerNext();
    await back;
    await failOnce();
    clock.advance(1_000);
    const again = ask(query);
    answerNext();
    expect(await again).toBe('answered');
    expect(levels()).toEqual(['warn']);
    await answeredLater();
    expect(levels()).toEqual(['warn', 'info']);
  });

  it('is tried by one query at a time, whom no other waits for', async () => {
    await failOnce();
    clock.advance(1_000);
    const trial = ask(query);
    expect(await outcomeAtOnce(query)).toBe(refused);
    expect(reached).toBe(2);
    answerNext();
    expect(await trial).toBe('answered');
    const asked = [ask(query), ask(query)];
    answerNext();
    answerNext();
    expect(await Promise.all(asked)).toEqual(['answered', 'answered']);
  });

  it('is tried by a query though a long fill is trying', async () => {
    await failOnce();
    clock.advance(1_000);
    const filling = ask();
    expect(await outcomeAtOnce()).toBe(refused);
    const asked = ask(query);
    calls.pop()!.answer();
    expect(await asked).toBe('answered');
    failNext();
    expect(await filling).toBe(down);
    expect(await outcomeAtOnce()).toBe('it waits for the embedder'); // what failed is over already
    answerNext();
    const next = ask(query);
    answerNext();
    expect(await next).toBe('answered');
    await answeredLater();
    expect(levels()).toEqual(['warn', 'info']);
  });

  it('answers queries while only fills fail, which are left alone for as long as they are asked to', async () => {
    const limited = new EmbedderUnavailable('down', { retryAfterMs: 60_000 });
    for (let round = 0; round < 3; round += 1) {
      const filling = ask();
      failNext(limited);
      expect(await filling).toBe(down);
      for (let passedMs = 0; passedMs < 60_000; passedMs += 20_000) {
        expect(await outcomeAtOnce()).toBe(refused);
        const asked = ask(query);
        answerNext();
        expect(await asked).toBe('answered');
        clock.advance(20_000);
      }
    }
    expect(levels()).toEqual(['warn']);
    const filling = ask();
    answerNext();
    expect(await filling).toBe('answered');
    expect(levels()).toEqual(['warn', 'info']);
  });

  it('is told of once, whether queries or fills fail', async () => {
    await failOnce();
    clock.advance(1_000);
    const filling = ask();
    failNext();
    expect(await filling).toBe(down);
    expect(levels()).toEqual(['warn']);
  });

  it('is left alone for as long as it asks for, and no longer than an hour', async () => {
    for (const [askedMs, pauseMs] of [
      [90_000, 90_000],
      [500, 2_000],
      [86_400_000, 3_600_000],
    ] as const) {
      const asked = ask(query);
      failNext(new EmbedderUnavailable('down', { retryAfterMs: askedMs }));
      await asked;
      clock.advance(pauseMs - 1);
      expect([await outcomeAtOnce(query), await outcomeAtOnce()]).toEqual([refused, refused]);
      clock.advance(1);
    }
    expect(levels()).toEqual(['warn']);
  });

  it('that its settings do not fit is asked once a minute, which is said aloud once', async () => {
    const misconfigured = async () => {
      const asked = ask(query);
      failNext(new EmbedderUnavailable('who are you', { isMisconfigured: true }));
      await asked;
    };
    await failOnce();
    clock.advance(1_000);
    for (let round = 0; round < 3; round += 1) {
      await misconfigured();
      clock.advance(59_999);
      expect(await outcomeAtOnce(query)).toBe(refused);
      clock.advance(1);
    }
    expect(levels()).toEqual(['warn', 'error']);
    const back = ask(query);
    answerNext();
    await back;
    await misconfigured();
    expect(levels()).toEqual(['warn', 'error', 'info', 'error']);
  });

  it('counts calls that fail together as one failure', async () => {
    const asked = [ask(query), ask(query), ask(query)];
    for (let left = asked.length; left > 0; left -= 1) failNext();
    expect(await Promise.all(asked)).toEqual([down, down, down]);
    expect(levels()).toEqual(['warn']);
    clock.advance(1_000);
    const trial = ask(query);
    answerNext();
    expect(await trial).toBe('answered');
  });

  it('is not called back by what was asked before it failed', async () => {
    const early = ask(query);
    const asked = ask(query);
    calls.pop()!.fail();
    expect(await asked).toBe(down);
    answerNext();
    expect(await early).toBe('answered');
    expect(await outcomeAtOnce(query)).toBe(refused);
  });

  it('is neither blamed for a mistake of ours nor kept from being tried by one', async () => {
    const mistaken = ask(query);
    failNext(new TypeError('a mistake'));
    expect(await mistaken).toBe('TypeError: a mistake');
    await failOnce();
    clock.advance(1_000);
    const trial = ask(query);
    failNext(new TypeError('a mistake'));
    expect(await trial).toBe('TypeError: a mistake');
    const next = ask(query);
    answerNext();
    expect(await next).toBe('answered');
  });

  it('learns nothing from a call about nothing', async () => {
    await failOnce();
    clock.advance(1_000);
    expect(await embedder.embed([])).toEqual([]);
    await failOnce();
    clock.advance(1_999);
    expect(await outcomeAtOnce(query)).toBe(refused);
  });

  it('is tried when the clock was set back', async () => {
    await failOnce();
    clock.advance(-3_600_000);
    const trial = ask(query);
    answerNext();
    expect(await trial).toBe('answered');
  });
});
