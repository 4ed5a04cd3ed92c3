import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrgWithSource, createTestSource, issueTestTokens } from '../spec/http/preamble.ts';

let service: HttpService;
let writer: string;

beforeAll(async () => {
  service = await startHttpService();
  ({ writer } = await issueTestTokens(service));
});
afterAll(() => service.close());

const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code];
const positionOf = ({ headers }: HttpAnswer) => Number(headers.get('x-service-position'));
const monthOf = (year: number, month: number, summary = `${year}-${month}`) => ({
  type: 'monthly',
  summary,
  releaseCount: 1,
  year,
  month,
});
const listed = async (query: string) =>
  (await service.get(`/v1/summaries?${query}`)).body.items.map(({ summary }: { summary: string }) => summary);

describe('a summary', () => {
  it('is written, answered, listed and shown with its source', async () => {
    const { org, source } = await createTestOrgWithSource(service, 'Summed');
    const answer = await service.post(`/v1/sources/${source.id}/summaries`, monthOf(2026, 1), { key: writer });
    const expected = {
      id: expect.stringMatching(/^sum_[0-9A-Za-z]{21}$/),
      sourceId: source.id,
      orgId: org.id,
      ...monthOf(2026, 1),
      windowDays: null,
      generatedAt: expect.any(String),
    };
    expect([answer.status, answer.body]).toEqual([200, expected]);
    expect((await service.get(`/v1/summaries?sourceSlug=summed`)).body).toEqual({ items: [answer.body] });
    const { generatedAt } = answer.body;
    const rolling = { type: 'rolling', summary: 'Quiet.', releaseCount: 0, windowDays: 30 };
    await service.post('/v1/orgs/summed/sources/summed/summaries', rolling);
    const { body } = await service.get('/v1/orgs/summed/sources/summed');
    expect(body.summaries).toEqual({
      rolling: {
        year: null,
        month: null,
        windowDays: 30,
        summary: 'Quiet.',
        releaseCount: 0,
        generatedAt: body.summaries.rolling.generatedAt,
      },
      monthly: [{ year: 2026, month: 1, summary: '2026-1', releaseCount: 1, generatedAt }],
    });
  });

  it('written again replaces the one before, and the same again writes nothing', async () => {
    const { source } = await createTestOrgWithSource(service, 'Replaced');
    const write = (summary: string) => service.post(`/v1/sources/${source.id}/summaries`, monthOf(2026, 1, summary));
    const first = await write('One');
    const same = await write('One');
    expect([same.body, positionOf(same)]).toEqual([first.body, positionOf(first)]);
    const second = await write('Two');
    expect([second.body.id, second.body.summary]).toEqual([first.body.id, 'Two']);
    expect(positionOf(second)).toBeGreaterThan(positionOf(first));
    expect(await listed('sourceSlug=replaced')).toEqual(['Two']);
  });

  it('sent again with its key is answered again', async () => {
    const { source } = await createTestOrgWithSource(service, 'Keyed');
    const send = () =>
      service.post(`/v1/sources/${source.id}/summaries`, monthOf(2026, 1), {
        headers: { 'Idempotency-Key': 'summary-once' },
      });
    const first = await send();
    await service.post(`/v1/sources/${source.id}/summaries`, monthOf(2026, 1, 'Newer'));
    const again = await send();
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body]);
    expect(await listed('sourceSlug=keyed')).toEqual(['Newer']);
  });
});

describe('the list of summaries', () => {
  it('is of one source, newest first, by type, year and month', async () => {
    const { source } = await createTestOrgWithSource(service, 'Listed');
    const written: Record<string, string> = {};
    const bodies = [
      monthOf(2026, 2),
      monthOf(2025, 2),
      { type: 'rolling', summary: 'all', releaseCount: 2 },
      monthOf(2026, 1),
      { type: 'rolling', summary: 'week', releaseCount: 2, windowDays: 7 },
    ];
    for (const sent of bodies) {
      const { body } = await service.post(`/v1/sources/${source.id}/summaries`, sent);
      written[body.summary] = `${body.generatedAt} ${body.id}`; // two may be of one millisecond
    }
    const newestFirst = (...names: string[]) => names.sort((a, b) => (written[a]! > written[b]! ? -1 : 1));
    const of = (query: string) => listed(`sourceId=${source.id}${query}`);
    expect(await of('')).toEqual(newestFirst(...Object.keys(written)));
    expect(await of('&type=rolling')).toEqual(newestFirst('week', 'all'));
    expect(await of('&type=monthly')).toEqual(newestFirst('2026-1', '2025-2', '2026-2'));
    expect(await of('&year=2026')).toEqual(newestFirst('2026-1', '2026-2'));
    expect(await of('&type=monthly&month=2')).toEqual(newestFirst('2025-2', '2026-2'));
    expect(await of('&year=2026&month=2')).toEqual(['2026-2']);
    expect(await of('&year=1999')).toEqual([]);
  });

  it('shows 24 months with the source, the latest months first, whenever they were written', async () => {
    const { source } = await createTestOrgWithSource(service, 'Longtold');
    const months = Array.from({ length: 30 }, (_, n) => [2024 + Math.floor(n / 12), (n % 12) + 1] as const);
    for (const [year, month] of [...months].reverse()) {
      await service.post(`/v1/sources/${source.id}/summaries`, monthOf(year, month));
    }
    const { body } = await service.patch(`/v1/sources/${source.id}`, { name: 'Longtold' });
    const shown = body.summaries.monthly.map(({ year, month }: { year: number; month: number }) => [year, month]);
    expect(shown).toEqual([...months].reverse().slice(0, 24));
    expect(await listed(`sourceId=${source.id}&type=monthly`)).toHaveLength(30);
  });

  it('needs a source that can be told from others', async () => {
    await createTestOrgWithSource(service, 'Twice');
    await createTestSource(service, 'Twice');
    const codes = async (query: string) => codeOf(await service.get(`/v1/summaries?${query}`));
    expect(await codes('')).toEqual([400, 'missing_parameter']);
    expect(await codes('sourceSlug=')).toEqual([400, 'missing_parameter']);
    expect(await codes('sourceSlug=nobody')).toEqual([404, 'not_found']);
    expect(await codes('sourceSlug=twice')).toEqual([409, 'ambiguous_slug']);
    expect(await codes('sourceSlug=nobody&type=daily')).toEqual([400, 'invalid_parameter']);
    expect(await codes('sourceSlug=nobody&month=13')).toEqual([400, 'invalid_parameter']);
    expect(await codes('sourceSlug=nobody&month=0')).toEqual([400, 'invalid_parameter']);
    expect(await codes('sourceSlug=nobody&year=1969')).toEqual([400, 'invalid_parameter']);
    expect(await codes('sourceSlug=nobody&year=10000')).toEqual([400, 'invalid_parameter']);
    expect(await codes('sourceSlug=nobody&type=rolling&year=2026')).toEqual([400, 'conflicting_parameters']);
    expect(await codes('sourceSlug=nobody&type=rolling&month=1')).toEqual([400, 'conflicting_parameters']);
  });

  it('may be kept for a minute by those who read without a credential', async () => {
    await createTestOrgWithSource(service, 'Cached');
    const { headers } = await service.get('/v1/summaries?sourceSlug=cached');
    expect(headers.get('cache-control')).toContain('max-age=60');
    expect(headers.get('etag')).toMatch(/^"[\w-]{22}"$/);
  });
});
