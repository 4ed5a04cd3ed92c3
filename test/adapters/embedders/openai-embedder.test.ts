import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpenAiEmbedderDeps, openOpenAiEmbedder } from '../../../src/adapters/embedders/openai-embedder.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { createHttpClient } from '../../../src/adapters/undici/http-client.ts';
import { createTargetGuard } from '../../../src/delivery/target-guard.ts';
import { EmbedderUnavailable } from '../../../src/ports/embedder.ts';
import {
  type Asked,
  embeddings,
  failing,
  type OpenAiStandin,
  startOpenAiStandin,
} from '../../standin/openai/openai-standin.ts';

const apiKey = 'sk-for-tests-only';
const http = createHttpClient();
let openai: OpenAiStandin;
let slept: number[];
let from: number;

/** Each text is known by the direction of its vector, which is not of length 1. */
const byLength = embeddings((text) => [3 * text.length, 4 * text.length, 0]);

beforeAll(async () => {
  openai = await startOpenAiStandin({ apiKey });
});
beforeEach(() => {
  slept = [];
  openai.replyWith(byLength);
  from = openai.asked.length;
});
afterAll(async () => {
  await http.close();
  await openai.close();
});

const targetsOf = (allowPrivate: boolean) =>
  createTargetGuard({ resolver: { addresses: async () => [] }, allowPrivate });

const open = (changed: Partial<OpenAiEmbedderDeps> = {}) => {
  const clock = { ...systemClock, sleep: async (ms: number) => void slept.push(ms) };
  const endpoint = { http, targets: targetsOf(true), clock, baseUrl: openai.url, apiKey };
  return openOpenAiEmbedder({ ...endpoint, model: 'small', dimensions: 3, ...changed });
};
const inputs = () => openai.asked.slice(from).map(({ input }) => input);
const failure = (call: Promise<unknown>) =>
  call.then(
    () => 'no failure',
    (error: Error) => `${error.name}: ${error.message}`,
  );
const failed = (why: string) => `EmbedderUnavailable: The endpoint for embeddings failed: ${why}.`;

describe('the embedder that asks an endpoint', () => {
  it('gives vectors of length 1 in the order of the texts, and does not ask about empty ones', async () => {
    openai.replyWith(embeddings((text) => [text === 'x' ? 2 : 0, text === 'y' ? 5 : 0, 0]));
    const embedder = await open();
    const answers = await embedder.embed(['y', ' ', 'x', '', 'nowhere']);
    expect(answers.map((meaning) => meaning && [...meaning])).toEqual([[0, 1, 0], null, [1, 0, 0], null, null]);
    expect(inputs()).toEqual([['y', 'x', 'nowhere']]);
    expect(openai.headersOf(from).authorization).toBe(`Bearer ${apiKey}`);
    expect(await embedder.embed(['', '\n'])).toEqual([null, null]);
    expect(inputs()).toHaveLength(1);
  });

  it('learns from the first answer how long its vectors are, and is named by it', async () => {
    const { dimensions, ...learnt } = await open({ dimensions: undefined });
    expect([dimensions, learnt.model, learnt.space]).toEqual([3, 'openai:small:3', 'openai:small:3']);
  });

  it('asks nothing when it is told how long they are', async () => {
    const { model } = await open({ dimensions: 1536 });
    expect([model, inputs()]).toEqual(['openai:small:1536', []]);
  });

  it('refuses vectors of another length later on', async () => {
    const embedder = await open({ dimensions: undefined });
    openai.replyWith(embeddings(() => [1, 2]));
    const expected = 'EmbedderUnavailable: small gave a vector of 2 numbers, not of 3.';
    expect(await failure(embedder.embed(['text']))).toBe(expected);
  });

  it('asks in batches that are bounded by texts and by bytes', async () => {
    const { embed } = await open();
    const texts = Array.from({ length: 200 }, (_, nth) => `text ${nth}`);
    expect(await embed(texts)).toHaveLength(200);
    expect(inputs().map(({ length }) => length)).toEqual([96, 96, 8]);
    from = openai.asked.length;
    await embed(Array.from({ length: 20 }, () => '\u20ac'.repeat(8_000)));
    expect(inputs().map(({ length }) => length)).toEqual([8, 8, 4]);
  });

  it('asks about no more than a bounded part of a text', async () => {
    await (await open()).embed(['x'.repeat(20_000), ' '.repeat(9_000).concat('far')]);
    expect(inputs()).toEqual([['x'.repeat(8_000)]]);
  });
});

describe('an endpoint that refuses a text', () => {
  const refusing = (status: number, isRefused: (asked: Asked) => boolean) =>
    openai.replyWith((asked) => (isRefused(asked) ? failing(status) : byLength(asked)));

  it.each([400, 413, 422])('gives vectors to the others, and that one means nothing (%i)', async (status) => {
    const { embed } = await open();
    refusing(status, ({ input }) => input.includes('bad'));
    const texts = Array.from({ length: 96 }, (_, nth) => (nth === 37 ? 'bad' : `text ${nth}`));
    const meanings = await embed(texts);
    expect(meanings.flatMap((meaning, nth) => (meaning === null ? [nth] : []))).toEqual([37]);
    // Each half that holds it is asked about once more, and it alone at last.
    expect(
      inputs()
        .filter((input) => input.includes('bad'))
        .map(({ length }) => length),
    ).toEqual([96, 48, 24, 12, 6, 3, 2, 1]);
    expect([inputs().length, slept]).toEqual([15, []]);
  });

  it('because there are too many at once is asked about fewer', async () => {
    const { embed } = await open();
    refusing(413, ({ input }) => input.length > 30);
    const meanings = await embed(Array.from({ length: 96 }, (_, nth) => `text ${nth}`));
    expect(meanings.filter((meaning) => meaning === null)).toEqual([]);
    expect(inputs().map(({ length }) => length)).toEqual([96, 48, 24, 24, 48, 24, 24]);
  });

  it('is asked about a plain one before a text that stands alone is given up', async () => {
    const { embed } = await open();
    refusing(400, ({ input }) => input.includes('bad'));
    expect(await embed(['bad'], { isQuery: true })).toEqual([null]);
    expect(inputs()).toEqual([['bad'], ['release notes']]);
  });

  it('and any other text refuses us, and no text is given up for it', async () => {
    const { embed } = await open();
    openai.replyWith(failing(400));
    expect(await failure(embed(['one', 'two']))).toBe(failed('refused (400)'));
    expect(inputs()).toEqual([['one', 'two'], ['one'], ['release notes']]);
  });
});

describe('an endpoint that fails', () => {
  it('is asked again for a fill, after as long as it asks for', async () => {
    const { embed } = await open();
    openai.replyWith(failing(500), failing(429, { 'retry-after': '7' }), byLength);
    expect(await embed(['text'])).toHaveLength(1);
    expect(slept).toEqual([1_000, 7_000]);
  });

  it('is asked three times and no more', async () => {
    const { embed } = await open();
    openai.replyWith(failing(503));
    expect(await failure(embed(['text']))).toBe(failed('server_error (503)'));
    expect([inputs().length, slept]).toEqual([3, [1_000, 4_000]]);
  });

  it('is asked once for a query, for which somebody waits', async () => {
    const { embed } = await open();
    openai.replyWith(failing(429, { 'retry-after': '1' }));
    expect(await failure(embed(['text'], { isQuery: true }))).toBe(failed('limited (429)'));
    expect([inputs().length, slept]).toEqual([1, []]);
  });

  it('is left alone when it wants that for long', async () => {
    const { embed } = await open();
    openai.replyWith(failing(429, { 'retry-after': '3600' }));
    expect(await failure(embed(['text']))).toBe(failed('limited (429)'));
    expect([inputs().length, slept]).toEqual([1, []]);
  });

  const silent = 'EmbedderUnavailable: A query was not embedded within 50 ms.';

  it('without an answer ends a query in time', async () => {
    const { embed } = await open({ queryMs: 50 });
    openai.replyWith(null);
    const outcome = await failure(embed(['text'], { isQuery: true }));
    expect([silent, failed('timeout')]).toContain(outcome);
  });

  it('ends a query in time though its very name is not found out', async () => {
    const targets = { vet: () => new Promise<never>(() => {}) };
    const { embed } = await open({ queryMs: 50, targets });
    expect(await failure(embed(['text'], { isQuery: true }))).toBe(silent);
  });

  it('is asked no more when nobody waits', async () => {
    const { embed } = await open();
    const waiting = new AbortController();
    openai.replyWith(() => {
      waiting.abort(new Error('nobody waits'));
      return failing(500);
    });
    const texts = Array.from({ length: 200 }, () => 'text');
    expect(await failure(embed(texts, { signal: waiting.signal }))).toBe('Error: nobody waits');
    expect(inputs()).toHaveLength(1);
  });

  it.each([
    ['does not know the key', failing(401), 'refused (401)'],
    ['does not know the model', failing(404), 'refused (404)'],
    ['speaks no JSON', { status: 200, body: '<html>' }, 'unreadable (200)'],
    ['answers about fewer texts', { status: 200, body: '{"data": []}' }, 'unreadable (200)'],
    ['answers with words', embeddings(() => ['a', 'b', 'c']), 'unreadable (200)'],
    ['answers with no number', embeddings(() => [null, 1, 2]), 'unreadable (200)'],
    ['answers with no vector', embeddings(() => []), 'unreadable (200)'],
    ['answers with a flood', { status: 200, body: ' '.repeat(11 * 1024 * 1024) }, 'too_large (200)'],
  ] as const)('is not asked again when it %s', async (_, reply, expected) => {
    const { embed } = await open();
    openai.replyWith(reply);
    expect(await failure(embed(['text']))).toBe(failed(expected));
    expect(inputs()).toHaveLength(1);
  });

  it.each([
    ['does not know the key', failing(401), [true, null]],
    ['does not let us in', failing(403), [true, null]],
    ['does not know the model', failing(404), [true, null]],
    ['refuses whatever it is asked', failing(400), [true, null]],
    ['is limited', failing(429, { 'retry-after': '3600' }), [false, 3_600_000]],
    ['is down', failing(503, { 'retry-after': '60' }), [false, 60_000]],
    ['wants to be asked again', failing(408), [false, null]],
  ] as const)('and %s says whose fault it is, and when it may be asked again', async (_, reply, expected) => {
    const { embed } = await open();
    openai.replyWith(reply);
    const error = await embed(['text']).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(EmbedderUnavailable);
    const { isMisconfigured, retryAfterMs } = error as EmbedderUnavailable;
    expect([isMisconfigured, retryAfterMs]).toEqual(expected);
  });

  it('inside the network is not asked unless that is allowed', async () => {
    expect(await failure(open({ dimensions: undefined, targets: targetsOf(false) }))).toBe(failed('blocked'));
    expect(inputs()).toEqual([]);
  });

  it('is told of without the key', async () => {
    const { embed } = await open();
    openai.replyWith(failing(401));
    const error = await embed(['text']).catch((caught: unknown) => caught);
    expect(JSON.stringify([String(error), (error as Error).stack, (error as Error).cause])).not.toContain(apiKey);
  });
});
