import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, issueTestTokens } from '../spec/http/preamble.ts';

let service: HttpService;
let tokens: Awaited<ReturnType<typeof issueTestTokens>>;

beforeAll(async () => {
  service = await startHttpService();
  tokens = await issueTestTokens(service);
  await createTestOrg(service, 'Known');
});
afterAll(() => service.close());

const asked = { 'x-service-timing': '1' };
const timingOf = async (key: string | null, headers: Record<string, string> = asked, path = '/v1/orgs/known') =>
  (await service.get(path, { key, headers })).headers.get('server-timing');

describe('where the time of a request went', () => {
  it('is told to an admin who asks', async () => {
    for (const key of [rootApiKey, tokens.admin]) {
      const told = await timingOf(key);
      expect(told).toMatch(/^auth;dur=[\d.]+, wait;dur=[\d.]+, query;dur=[\d.]+, present;dur=[\d.]+$/);
    }
  });

  it('is told of a failure as far as it came', async () => {
    expect(await timingOf(rootApiKey, asked, '/v1/orgs/nobody')).toMatch(/^auth;dur=[\d.]+, wait;dur=[\d.]+$/);
  });

  it('is told to nobody else, and not unasked', async () => {
    for (const key of [null, 'wrong', tokens.reader, tokens.writer]) expect(await timingOf(key)).toBeNull();
    expect(await timingOf(rootApiKey, {})).toBeNull();
    expect(await timingOf(rootApiKey, { 'x-service-timing': '0' })).toBeNull();
  });
});
