import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { createHttpClient } from '../../../src/adapters/undici/http-client.ts';
import { createTargetGuard } from '../../../src/delivery/target-guard.ts';
import { overviewFields } from '../../../src/domain/overview/fields.ts';
import type { ProviderFailed } from '../../../src/generation/content-provider.ts';
import type { ModelDeps } from '../../../src/generation/openai/ask-model.ts';
import { createOpenAiProvider } from '../../../src/generation/openai/openai-provider.ts';
import { contributingRelease as release } from '../../spec/generation/contributing-release.ts';
import { completion, failing, type OpenAiStandin, startOpenAiStandin } from '../../standin/openai/openai-standin.ts';

const apiKey = 'sk-for-tests-only';
const http = createHttpClient();
let openai: OpenAiStandin;
let slept: number[];

beforeAll(async () => {
  openai = await startOpenAiStandin({ apiKey });
});
afterAll(async () => {
  await http.close();
  await openai.close();
});

const targetsOf = (allowPrivate: boolean) =>
  createTargetGuard({ resolver: { addresses: async () => [] }, allowPrivate });

const providerWith = (changed: Partial<ModelDeps> = {}) => {
  slept = [];
  const clock = { ...systemClock, sleep: async (ms: number) => void slept.push(ms) };
  const usual = {
    http,
    targets: targetsOf(true),
    clock,
    baseUrl: openai.url,
    apiKey,
    model: 'small',
    timeoutMs: 60_000,
  };
  return createOpenAiProvider({ ...usual, ...changed });
};

const org = { name: 'Acme' };
const releases = [release('It flies.', {}, 0), release('It lands.', { title: 'Rocket \u202e1.1.1' }, 1)];

const overview = (changed: Partial<ModelDeps> = {}) => providerWith(changed).overviewOf(org, releases);

const failure = (changed: Partial<ModelDeps> = {}) =>
  overview(changed).then(
    () => 'no failure',
    ({ reason, status, retryAfterMs }: ProviderFailed) => [reason, status, retryAfterMs],
  );

const good = completion(
  JSON.stringify({
    paragraphs: [
      { text: 'It flies & lands 🎉 now.', releases: [1, 2, 1] },
      { text: 'It <b>lands</b> [here](javascript:alert(1)).', releases: [2] },
    ],
  }),
);

describe('the provider that asks a model', () => {
  it('shows it the releases, and cites those that it names', async () => {
    openai.replyWith(good);
    const from = openai.asked.length;
    const draft = await overview();
    expect(draft?.content).toBe('It flies & lands 🎉 now.\n\nIt lands here.\n');
    expect(draft?.citations.map(({ title }) => title)).toEqual(['Rocket 1.0.1', 'Rocket 1.1.1', 'Rocket 1.1.1']);
    expect(draft?.citations.map(({ releaseId }) => releaseId)).toEqual([
      releases[0]!.id,
      releases[1]!.id,
      releases[1]!.id,
    ]);
    for (const { startIndex, endIndex, citedText } of draft!.citations) {
      expect(draft!.content.slice(startIndex, endIndex)).toBe(citedText);
    }
    const { shownReleaseIds, ...fields } = draft!;
    expect(shownReleaseIds).toEqual(releases.map(({ id }) => id));
    expect(overviewFields.safeParse({ ...fields, releaseCount: 2 }).success).toBe(true);
    const [question] = openai.asked.slice(from);
    expect(question?.model).toBe('small');
    expect(question?.messages[1]?.content).toContain('[2] Rocket: Rocket 1.1.1 (2030-01-19)\nIt lands.');
    expect(openai.headersOf(from).authorization).toBe(`Bearer ${apiKey}`);
  });

  it('cites what stands there, whatever blanks are left around it', async () => {
    const paragraphs = ['It flies. <b></b>', '<i></i>', 'It lands. `'].map((text) => ({ text, releases: [1] }));
    openai.replyWith(completion(JSON.stringify({ paragraphs })));
    const draft = await overview();
    expect(draft?.content).toBe('It flies.\n\nIt lands.\n');
    expect(draft?.citations.map(({ startIndex, endIndex, citedText }) => [startIndex, endIndex, citedText])).toEqual([
      [0, 9, 'It flies.'],
      [11, 20, 'It lands.'],
    ]);
  });

  it('shows no more than a bounded part of many long releases', async () => {
    openai.replyWith(good);
    const from = openai.asked.length;
    const many = Array.from({ length: 40 }, (_, nth) => release('x'.repeat(16_000), {}, nth));
    const draft = await providerWith().overviewOf(org, many);
    const shown = openai.asked[from]?.messages[1]?.content ?? '';
    expect(shown.length).toBeLessThanOrEqual(24_000);
    const count = [...shown.matchAll(/^\[\d+\] /gm)].length;
    expect(draft?.shownReleaseIds).toEqual(many.slice(0, count).map(({ id }) => id));
  });

  it('writes summaries in words of the model, made harmless', async () => {
    openai.replyWith(completion('```json\n{"paragraphs": ["All is <i>well</i>.", "```"]}\n```'));
    const summary = await providerWith().summaryOf(org, { type: 'rolling', windowDays: 30 }, { releases, count: 9 });
    expect(summary).toBe('All is well.\n');
  });

  it('names a release, and counts what it holds where that can be told', async () => {
    openai.replyWith(completion('{"titleGenerated": "It flies", "titleShort": "Flies", "composition": null}'));
    expect(await providerWith().enrich!(releases[0]!)).toEqual({ titleGenerated: 'It flies', titleShort: 'Flies' });
    const composition = { bugs: 1, features: 2, enhancements: 0 };
    openai.replyWith(completion(JSON.stringify({ titleGenerated: 'It flies', titleShort: 'Flies', composition })));
    expect((await providerWith().enrich!(releases[0]!)).composition).toEqual(composition);
  });

  it('asks nothing about nothing', async () => {
    const from = openai.asked.length;
    expect(await providerWith().overviewOf(org, [])).toBeNull();
    expect(openai.asked).toHaveLength(from);
  });
});

describe('a model that fails', () => {
  it('is asked again after a while, and longer when it asks for patience', async () => {
    openai.replyWith(failing(500), failing(429, { 'retry-after': '7' }), good);
    expect(await overview()).not.toBeNull();
    expect(slept).toEqual([1_000, 7_000]);
  });

  it('is asked three times and no more', async () => {
    openai.replyWith(failing(503));
    const from = openai.asked.length;
    expect(await failure()).toEqual(['server_error', 503, null]);
    expect([openai.asked.length - from, slept]).toEqual([3, [1_000, 4_000]]);
  });

  it('that wants to be left alone for long is left alone', async () => {
    openai.replyWith(failing(429, { 'retry-after': '3600' }));
    const from = openai.asked.length;
    expect(await failure()).toEqual(['limited', 429, 3_600_000]);
    expect([openai.asked.length - from, slept]).toEqual([1, []]);
  });

  it.each([
    ['does not know the key', failing(401), ['refused', 401, null]],
    ['does not know the model', failing(404), ['refused', 404, null]],
    [
      'sends elsewhere',
      { status: 307, headers: { location: 'https://example.com' }, body: '' },
      ['unreadable', 307, null],
    ],
    ['speaks no JSON', { status: 200, body: '<html>' }, ['unreadable', 200, null]],
    ['answers with no choice', { status: 200, body: '{"choices": []}' }, ['unreadable', 200, null]],
    ['says nothing', completion(null), ['unreadable', 200, null]],
    ['chats', completion('Here is your overview: all is well.'), ['unreadable', 200, null]],
    ['answers in another form', completion('{"paragraphs": "all is well"}'), ['unreadable', 200, null]],
    [
      'writes without end',
      completion(`{"paragraphs": [{"text": "${'x'.repeat(2_000)}", "releases": [1]}]}`),
      ['unreadable', 200, null],
    ],
    [
      'cites what it was not shown',
      completion('{"paragraphs": [{"text": "All.", "releases": [3]}]}'),
      ['unreadable', 200, null],
    ],
    ['is cut off', completion('{"paragraphs": [{"te', {}, 'length'), ['too_large', 200, null]],
    ['answers with a flood', { status: 200, body: 'x'.repeat(300_000) }, ['too_large', 200, null]],
    ['declines', completion(null, { refusal: 'I cannot.' }), ['refused', 200, null]],
    ['is filtered', completion('', {}, 'content_filter'), ['refused', 200, null]],
  ] as const)('is not asked again when it %s', async (_, reply, expected) => {
    openai.replyWith(reply);
    const from = openai.asked.length;
    expect(await failure()).toEqual(expected);
    expect(openai.asked.length - from).toBe(1);
  });

  it('without an answer is a time-out', async () => {
    openai.replyWith(null);
    expect(await failure({ timeoutMs: 50 })).toEqual(['timeout', null, null]);
    expect(slept).toEqual([1_000, 4_000]);
  });

  it('that nobody listens for is a failure of the network', async () => {
    expect(await failure({ baseUrl: 'http://127.0.0.1:9/v1' })).toEqual(['network', null, null]);
  });

  it('inside the network is not asked unless that is allowed', async () => {
    openai.replyWith(good);
    const from = openai.asked.length;
    expect(await failure({ targets: targetsOf(false) })).toEqual(['blocked', null, null]);
    expect(openai.asked).toHaveLength(from);
  });

  it('is told of without the key', async () => {
    openai.replyWith(failing(401));
    const error = await overview().catch((caught: unknown) => caught);
    expect(JSON.stringify([String(error), (error as Error).stack, error])).not.toContain(apiKey);
  });
});
