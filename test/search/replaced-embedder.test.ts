import { beforeEach, describe, expect, it } from 'vitest';
import { EmbedderUnavailable, type Meaning } from '../../src/ports/embedder.ts';
import { createEmbedderBreaker, type GuardedEmbedder } from '../../src/search/embedder-breaker.ts';
import { createFakeClock, type FakeClock } from '../spec/fake-clock.ts';
import { createKeptLog } from '../spec/kept-log.ts';

const query = { isQuery: true };
const best = Float32Array.of(1, 0);
const lesser = Float32Array.of(0, 1);

/** What reached the embedder and was not answered yet. */
interface Call {
  readonly answer: () => void;
  readonly fail: (error: Error) => void;
}

describe('an embedder that cannot be started, and one that stands in for it', () => {
  let clock: FakeClock;
  let log: ReturnType<typeof createKeptLog>;
  let calls: Call[];
  let reached: number;
  let embedder: GuardedEmbedder;

  beforeEach(() => {
    clock = createFakeClock();
    log = createKeptLog();
    [calls, reached] = [[], 0];
    const common = { space: 'common', dimensions: 2, close: async () => {} };
    const embed = () =>
      new Promise<Meaning[]>((resolve, reject) => {
        reached += 1;
        calls.push({ answer: () => resolve([best]), fail: reject });
      });
    embedder = createEmbedderBreaker({
      embedder: { ...common, model: 'best', embed },
      standIn: { ...common, model: 'lesser', embed: async (texts) => texts.map(() => lesser) },
      clock,
      log,
    });
  });

  const notStarted = () => new EmbedderUnavailable('no memory', { cannotStart: true });
  const ask = (options?: { readonly isQuery: boolean }) =>
    embedder.embed(['text'], options).then(
      ([meaning]) => (meaning === best ? 'best' : 'lesser'),
      (error: Error) => error.message,
    );
  const failOnce = async (options?: { readonly isQuery: boolean }) => {
    const asked = ask(options);
    calls.shift()!.fail(notStarted());
    return asked;
  };
  const settled = () => new Promise(setImmediate);
  /** What becomes of a query that nothing else happens for. */
  const askAtOnce = () => Promise.race([ask(query), settled().then(() => 'it waits for the embedder')]);

  it('has queries answered by the other one, and says so once', async () => {
    expect(await failOnce(query)).toBe('lesser');
    expect([await askAtOnce(), await askAtOnce(), reached]).toEqual(['lesser', 'lesser', 1]);
    expect(embedder.replacedBecause()).toBe('no memory');
    for (let round = 0; round < 5; round += 1) {
      clock.advance(60_000);
      expect(await askAtOnce()).toBe('lesser');
      calls.shift()!.fail(notStarted());
      await settled();
    }
    const sentence =
      'the model cannot be started; a lesser one embeds queries, and searches by meaning find less meanwhile';
    expect(log.lines).toEqual([{ level: 'warn', sentence }]);
  });

  it('is tried beside a query, which does not wait for it, and embeds queries again when it works', async () => {
    await failOnce(query);
    clock.advance(10_000);
    expect([await askAtOnce(), reached]).toEqual(['lesser', 2]);
    expect([await askAtOnce(), reached]).toEqual(['lesser', 2]); // one at a time tries
    calls.shift()!.answer();
    await settled();
    expect(embedder.replacedBecause()).toBeNull();
    const asked = ask(query);
    calls.shift()!.answer();
    expect(await asked).toBe('best');
    expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  it('is known by a fill, too, whose texts are never embedded by the other one', async () => {
    expect(await failOnce()).toBe('no memory');
    expect(await ask()).toBe('The embedder failed a moment ago.');
    expect([await askAtOnce(), reached]).toEqual(['lesser', 1]);
    clock.advance(1_000);
    const filling = ask();
    calls.shift()!.answer();
    expect(await filling).toBe('best');
    const asked = ask(query);
    calls.shift()!.answer();
    expect(await asked).toBe('best');
  });

  it('is not replaced when it has worked and fails', async () => {
    const asked = ask(query);
    calls.shift()!.fail(new EmbedderUnavailable('down'));
    expect(await asked).toBe('down');
    expect(await ask(query)).toBe('The embedder failed a moment ago.');
    expect(embedder.replacedBecause()).toBeNull();
  });

  it('tells of a mistake of ours though nobody waits for the trial', async () => {
    await failOnce(query);
    clock.advance(1_000);
    expect(await askAtOnce()).toBe('lesser');
    calls.shift()!.fail(new TypeError('a mistake'));
    await settled();
    expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'error']);
  });
});
