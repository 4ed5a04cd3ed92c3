import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FetchLogEntry, fetchLogDeclaration } from '../../src/records/fetch-log.ts';
import { type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestSource } from '../spec/http/preamble.ts';

let service: HttpService;
let sourceId: string;

beforeAll(async () => {
  service = await startHttpService();
  sourceId = (await createTestSource(service, 'Logged')).id;
});
afterAll(() => service.close());

const entries = async () => {
  const log = await service.registry.ops.collection<FetchLogEntry>(fetchLogDeclaration);
  const rows = await log.query({ index: 'bySource', equals: { sourceId }, limit: 10 });
  return rows.map(({ doc: { releasesFound, releasesInserted, totalReleases, status } }) => ({
    releasesFound,
    releasesInserted,
    totalReleases,
    status,
  }));
};

it('has one entry for each call, and none for a repeat of the same request', async () => {
  const path = `/v1/sources/${sourceId}/releases`;
  const releases = [{ title: 'One' }, { title: 'Two' }];
  const headers = { 'idempotency-key': 'logged-once' };
  for (let time = 0; time < 2; time += 1) await service.post(`${path}/batch`, { releases }, { headers });
  await service.post(`${path}/batch`, { releases });
  await service.post(path, { title: 'Three' });
  await service.post(path, { title: 'Three', summary: 'Revised' });
  expect(await entries()).toEqual([
    { releasesFound: 2, releasesInserted: 2, totalReleases: 2, status: 'success' },
    { releasesFound: 2, releasesInserted: 0, totalReleases: 2, status: 'no_change' },
    { releasesFound: 1, releasesInserted: 1, totalReleases: 3, status: 'success' },
    { releasesFound: 1, releasesInserted: 0, totalReleases: 3, status: 'success' },
  ]);
});
