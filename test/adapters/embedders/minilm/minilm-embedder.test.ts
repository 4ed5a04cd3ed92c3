import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MiniLmOptions, openMiniLmEmbedder } from '../../../../src/adapters/embedders/minilm/minilm-embedder.ts';
import { openStaticEmbedder } from '../../../../src/adapters/embedders/static-embedder.ts';
import { systemClock } from '../../../../src/adapters/system/clock.ts';
import type { Embedder } from '../../../../src/ports/embedder.ts';
import vectors from '../../../fixtures/embedders/minilm.json' with { type: 'json' };
import { cosine } from '../../../spec/embedders/cosine.ts';
import { hasMiniLm } from '../../../spec/embedders/has-minilm.ts';
import { eventually } from '../../../spec/eventually.ts';
import { createKeptLog } from '../../../spec/kept-log.ts';

const unavailable = (message: string) => expect.objectContaining({ name: 'EmbedderUnavailable', message });
const ended = unavailable('The process that embeds texts ended: SIGKILL.');
const failure = (call: Promise<unknown>) => call.then(() => 'no failure').catch((error: unknown) => error);

/** So many texts of the greatest length that one run takes; a second of work or more. */
const longFill = Array.from({ length: 80 }, (_, nth) => `${nth} ${'leak of memory in the pool '.repeat(60)}`);

describe.skipIf(!hasMiniLm())('MiniLM in its process', () => {
  let log: ReturnType<typeof createKeptLog>;
  let embedder: Embedder;
  /** Every process of the test, the latest last. Node tells of each one it starts. */
  let children: ChildProcess[];
  const remember = (message: unknown) => void children.push((message as { process: ChildProcess }).process);

  const open = async (options: Partial<MiniLmOptions> = {}) => {
    embedder = await openMiniLmEmbedder({ log, ...options });
  };
  beforeEach(() => {
    children = [];
    log = createKeptLog();
    subscribe('child_process', remember);
  });
  afterEach(async () => {
    unsubscribe('child_process', remember);
    await embedder.close();
    expect(children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)).toEqual([]);
  });

  const end = async (signal: NodeJS.Signals) => {
    const child = children.at(-1)!;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };

  it('gives the vectors that it was published with, and none to an empty text', async () => {
    await open();
    const meanings = await embedder.embed(vectors.items.map(({ text }) => text));
    for (const [nth, { text, vector }] of vectors.items.entries()) {
      const meaning = meanings[nth]!;
      if (text === '') expect(meaning).toBeNull();
      else expect([text, meaning?.length, cosine(meaning!, vector) >= 0.99]).toEqual([text, 256, true]);
    }
    for (const [one, other, expected] of vectors.pairs) {
      expect(Math.abs(cosine(meanings[one!]!, meanings[other!]!) - expected!)).toBeLessThan(0.02);
    }
    expect(await embedder.embed(['', ' \n', '\u200b', '\ud83d\ude80'])).toEqual([null, null, null, null]);
    expect(await embedder.embed([])).toEqual([]);
  });

  it('gives the same vector whatever is embedded with it', async () => {
    await open();
    const text = 'acme: fixed a leak in the pool';
    const [[alone], among] = await Promise.all([
      embedder.embed([text]),
      embedder.embed([...longFill.slice(0, 9), text]),
    ]);
    expect(among.at(-1)).toEqual(alone);
  });

  it('has the axes of the static model', async () => {
    await open();
    const plain = openStaticEmbedder({ clock: systemClock });
    const [leak, other] = ['Fix memory leak in the connection pool', 'Translate the manual into French'];
    const [own] = await embedder.embed([leak]);
    const [same, different] = await plain.embed([leak, other]);
    expect([plain.space, plain.dimensions]).toEqual([embedder.space, embedder.dimensions]);
    expect(cosine(own!, same!)).toBeGreaterThan(cosine(own!, different!) + 0.3);
  });

  it('answers a query before the fill that it came after', async () => {
    await open();
    const done: string[] = [];
    const filling = embedder.embed(longFill.slice(0, 16)).then(() => done.push('fill'));
    await embedder.embed(['memory leak'], { isQuery: true }).then(() => done.push('query'));
    await filling;
    expect(done).toEqual(['query', 'fill']);
  });

  it('refuses what is in hand when its process is killed, and embeds on in another one', async () => {
    await open();
    const inHand = failure(embedder.embed(longFill));
    await embedder.embed(['the fill has begun'], { isQuery: true });
    await end('SIGKILL');
    expect(await inHand).toEqual(ended);
    const answers = await Promise.all([embedder.embed(['hello world']), embedder.embed(['world'], { isQuery: true })]);
    expect(answers.map(([meaning]) => meaning?.length)).toEqual([256, 256]);
    expect(children).toHaveLength(2);
    expect(log.lines.map(({ level }) => level)).toEqual(['warn']);
  });

  it('is refused for a while when its process dies again and again, and then tried again', async () => {
    let nowMs = 0;
    await open({ monotonicMs: () => nowMs });
    for (let restarts = 0; restarts < 3; restarts += 1) {
      await end('SIGKILL');
      nowMs += 1_000;
      expect(await embedder.embed(['hello world'])).toHaveLength(1);
    }
    await end('SIGKILL');
    const worn = unavailable('The process that embeds texts was started again 3 times within a minute.');
    expect(await failure(embedder.embed(['hello world']))).toEqual(worn);
    expect(await failure(embedder.embed(['hello world'], { isQuery: true }))).toEqual(worn);
    expect(children).toHaveLength(4);
    nowMs += 60_000;
    expect(await embedder.embed(['hello world'])).toHaveLength(1);
    expect(children).toHaveLength(5);
  });

  it('gives a query up when its process hangs, ends that process, and answers from another one', async () => {
    await open({ limits: { queryMs: 50, silentMs: 1_000 } });
    children[0]!.kill('SIGSTOP');
    const late = unavailable('A query was not embedded within 50 ms.');
    expect(await failure(embedder.embed(['hello world'], { isQuery: true }))).toEqual(late);
    await eventually('it was ended', () => children[0]!.signalCode === 'SIGKILL');
    expect(await embedder.embed(['hello world'])).toHaveLength(1);
    expect(children).toHaveLength(2);
  });

  it('refuses a fill when its process hangs', async () => {
    await open({ limits: { silentMs: 1_000 } });
    children[0]!.kill('SIGSTOP');
    expect(await failure(embedder.embed(['hello world']))).toEqual(
      unavailable('The process that embeds texts said nothing for 1000 ms.'),
    );
  });

  it('is not taken for hung when it was the service that stood still', async () => {
    await open({ limits: { silentMs: 500 } });
    const answer = embedder.embed(['hello world']);
    await new Promise(setImmediate); // by then it is sent
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
    expect(await answer).toHaveLength(1);
    expect(await embedder.embed(['hello again'])).toHaveLength(1);
    expect([children.length, log.lines]).toEqual([1, []]);
  });

  it('goes on with other work when somebody stops waiting', async () => {
    await open();
    const waiting = new AbortController();
    const dropped = failure(embedder.embed(longFill, { signal: waiting.signal }));
    await embedder.embed(['the fill has begun'], { isQuery: true });
    waiting.abort(new Error('nobody waits'));
    expect(await dropped).toEqual(new Error('nobody waits'));
    expect(await embedder.embed(['hello world'])).toHaveLength(1);
    expect([children.length, log.lines]).toEqual([1, []]);
  });

  it('ends by itself when it is closed in the middle of a fill, which is refused', async () => {
    await open();
    const inHand = failure(embedder.embed(longFill));
    await embedder.embed(['the fill has begun'], { isQuery: true });
    await Promise.all([embedder.close(), embedder.close()]);
    expect(await inHand).toEqual(unavailable('The embedder is closed.'));
    expect(children.map(({ exitCode, signalCode }) => [exitCode, signalCode])).toEqual([[0, null]]);
    expect(await failure(embedder.embed(['hello world']))).toEqual(unavailable('The embedder is closed.'));
    expect(log.lines).toEqual([]);
  });

  it('is ended when it does not do so in time', async () => {
    await open({ limits: { closeMs: 50 } });
    children[0]!.kill('SIGSTOP');
    await embedder.close();
    expect(children[0]!.signalCode).toBe('SIGKILL');
  });

  it('leaves signals to the service, which asks it to end', async () => {
    await open();
    children[0]!.kill('SIGINT');
    children[0]!.kill('SIGTERM');
    expect(await embedder.embed(['hello world'])).toHaveLength(1);
    expect(children).toHaveLength(1);
  });

  it('ends when the service is gone', async () => {
    await open();
    const exited = once(children[0]!, 'exit');
    children[0]!.disconnect();
    expect(await exited).toEqual([0, null]);
  });

  it('knows no key of the service', async () => {
    process.env['ROOT_API_KEY'] = 'known-to-the-service-only';
    await open();
    delete process.env['ROOT_API_KEY'];
    if (process.platform !== 'linux') return; // only there its environment can be read
    expect(readFileSync(`/proc/${children[0]!.pid}/environ`, 'utf8')).not.toContain('known-to-the-service-only');
  });

  it('says when the model is not loaded in time, and that it is tried again', async () => {
    await open();
    const lines = log.lines.length;
    const other = await openMiniLmEmbedder({ log, limits: { startMs: 1 } });
    const reason = 'The model was not loaded within 1 ms.';
    expect(log.lines.slice(lines)).toMatchObject([{ level: 'warn' }]);
    expect(await failure(other.embed(['a text']))).toEqual(unavailable(reason));
    await other.close();
  });
});
