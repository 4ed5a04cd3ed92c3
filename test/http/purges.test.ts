import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changelogFilesProjection } from '../../projections/changelog-files/changelog-files.ts';
import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import { summariesProjection } from '../../projections/summaries/summaries.ts';
import type { Document } from '../../src/kernel/projection.ts';
import { openPurgeJobs } from '../../src/records/purge-jobs.ts';
import { type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { mongoCollectionsHolding } from '../spec/servers/mongo-collections-holding.ts';
import { openTestBackends } from '../spec/servers/test-backends.ts';
import { untilPurged as untilPurgedFrom } from '../spec/http/writes/until-purged.ts';
import { testResolver } from '../spec/worlds/webhook-world.ts';
import { ingestInto } from '../spec/worlds/ingest-into.ts';

let service: HttpService;
let mongodbUrl: string | undefined;

beforeAll(async () => {
  const backends = await openTestBackends();
  ({ mongodbUrl } = backends.settings);
  service = await startHttpService({ resolver: testResolver, backends });
});

afterAll(() => service.close());

const filesIn = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(join(path, entry.name)) : [join(path, entry.name)],
  );

/** Files of the data folder and collections of the database; events that are truncated are for the server to scavenge. */
const holding = async (text: string): Promise<string[]> => [
  ...filesIn(service.dataDir).filter((file) => readFileSync(file).includes(text)),
  ...(mongodbUrl === undefined ? [] : await mongoCollectionsHolding(mongodbUrl, text)),
];

const untilPurged = (...ids: string[]) => untilPurgedFrom(service, ...ids);

const withSource = async (name: string, packages: readonly object[] = []) => {
  const org = await service.create('/v1/orgs', { name, domain: `${name.toLowerCase()}.example` });
  const source = await service.create('/v1/sources', {
    name: `${name} changelog`,
    url: `https://${name.toLowerCase()}.example/changes`,
    orgId: org.id,
    packages,
  });
  return { orgId: org.id as string, slug: org.slug as string, sourceId: source.id as string };
};

describe('an org that is deleted for good', () => {
  it('is gone for everybody at once, and its text from every store a moment later', async () => {
    const mark = 'a word that nobody shall find';
    const packages = [{ ecosystem: 'npm', name: 'gone-kit' }];
    const { orgId, slug, sourceId } = await withSource('Gone', packages);
    await service.patch(`/v1/orgs/${slug}`, { description: mark });
    await service.call('PUT', `/v1/orgs/${slug}/playbook`, { body: { content: mark } });
    await service.call('PUT', `/v1/orgs/${slug}/overview`, { body: { content: mark, releaseCount: 1 } });
    const product = await service.create('/v1/products', { name: 'Gone kit', orgId, description: mark });
    const code = await service.create('/v1/sources', { name: 'Code', url: 'https://github.com/gone/kit', orgId });
    for (const content of [`# 1\n${mark}\n`, `# 2\n${mark}\n`]) {
      const file = { path: `${mark}.md`, content };
      expect((await service.call('PUT', `/v1/sources/${code.id}/changelog`, { body: file })).status).toBe(200);
    }
    const months = Array.from({ length: 3 }, (_, index) => ({ type: 'monthly', year: 2026, month: index + 1 }));
    for (const of of months) {
      const { status } = await service.post(`/v1/sources/${code.id}/summaries`, {
        ...of,
        summary: mark,
        releaseCount: 1,
      });
      expect(status).toBe(200);
    }
    const ids = await ingestInto(
      service,
      sourceId,
      Array.from({ length: 30 }, (_, index) => ({ title: mark, version: `1.${index}.0`, content: mark.repeat(index) })),
    );
    await ingestInto(service, sourceId, [{ title: 'Long', version: '2.0.0', content: mark + 'x'.repeat(600_000) }]);

    expect(await holding(mark)).not.toEqual([]);
    const { status, body } = await service.remove(`/v1/orgs/${orgId}?hard=true`);
    expect([status, body]).toEqual([200, { deleted: true, hard: true }]);
    for (const path of [
      `/v1/orgs/${orgId}`,
      `/v1/orgs/${slug}/releases`,
      `/v1/sources/${sourceId}`,
      `/v1/products/${product.id}`,
      `/v1/releases/${ids[0]}`,
    ]) {
      expect((await service.get(path)).status, path).toBe(404);
    }
    expect((await service.post(`/v1/orgs/${orgId}/restore`, undefined)).status).toBe(404);
    expect((await service.post(`/v1/sources/${sourceId}/releases`, { title: 'Late' })).status).toBe(404);

    await untilPurged(orgId, sourceId, product.id, code.id);
    expect(await holding(mark)).toEqual([]);
    const models = await service.registry.live.current();
    for (const projection of [summariesProjection, changelogFilesProjection]) {
      expect(await models!.of<Document>(projection).scan('', 10), projection.name).toEqual([]);
    }
    const left = await models!.of(releaseFeedProjection).query({ index: 'bySource', equals: { sourceId }, limit: 1 });
    expect(left).toEqual([]);
    expect((await service.post(`/v1/orgs/${orgId}/restore`, undefined)).status).toBe(404);
    expect((await service.post(`/v1/sources/${sourceId}/restore`, undefined)).status).toBe(404);
    expect((await service.get(`/v1/releases/${ids[0]}`)).status).toBe(404);
    // Every name is free again.
    const again = await withSource('Gone', packages);
    expect(again.slug).toBe('gone');
  });

  it('is gone though its last text is no release and nothing else is written', async () => {
    const { orgId, sourceId } = await withSource('Lonely');
    await ingestInto(service, sourceId, [{ title: 'One', version: '1.0.0' }]);
    const summary = { type: 'rolling', summary: 'One release.', releaseCount: 1 };
    expect((await service.post(`/v1/sources/${sourceId}/summaries`, summary)).status).toBe(200);
    await service.remove(`/v1/orgs/${orgId}?hard=true`);
    await untilPurged(orgId, sourceId);
    const jobs = await (await openPurgeJobs(service.registry.ops)).find([sourceId]);
    expect(jobs.get(sourceId)).toMatchObject({ failures: 0 });
  });

  it('is in no answer that was kept for repeats', async () => {
    const keyed = { headers: { 'idempotency-key': 'an-org-that-goes' } };
    const create = () => service.post('/v1/orgs', { name: 'Repeated', description: 'a word' }, keyed);
    const { body: first } = await create();
    expect((await create()).headers.get('idempotency-replayed')).toBe('true');
    await service.remove(`/v1/orgs/${first.id}?hard=true`);
    await untilPurged(first.id);
    const { status, headers, body } = await create();
    expect([status, headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(body.id).not.toBe(first.id);
  });

  it('is in no answer about its texts or about a collection that it was in', async () => {
    const { orgId, sourceId } = await withSource('Told');
    const { slug } = await service.create('/v1/collections', { name: 'Tells of others' });
    const keyed = { headers: { 'idempotency-key': 'answers-that-tell-of-it' } };
    const summary = { type: 'rolling', summary: 'A word.', releaseCount: 1 };
    const repeats = [
      () => service.post(`/v1/sources/${sourceId}/summaries`, summary, keyed),
      () => service.post(`/v1/collections/${slug}/members`, { orgId }, keyed),
    ];
    for (const send of repeats) {
      await send();
      expect((await send()).headers.get('idempotency-replayed')).toBe('true');
    }
    await service.remove(`/v1/orgs/${orgId}?hard=true`);
    await untilPurged(orgId, sourceId);
    for (const send of repeats) {
      const { status, headers } = await send();
      expect([status, headers.get('idempotency-replayed')]).toEqual([404, null]);
    }
  });

  it('leaves its names to one of many that want them', async () => {
    const packages = [{ ecosystem: 'pypi', name: 'wanted' }];
    const first = await withSource('Wanted', packages);
    await service.remove(`/v1/orgs/${first.orgId}?hard=true`);
    await untilPurged(first.orgId, first.sourceId);
    const home = await service.create('/v1/orgs', { name: 'Home of many' });
    const claims = Array.from({ length: 50 }, (_, index) =>
      service.post('/v1/sources', { name: `Wants ${index}`, url: 'https://many.example', orgId: home.id, packages }),
    );
    const statuses = (await Promise.all(claims)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 409)]);
    const orgs = await Promise.all(
      Array.from({ length: 50 }, () => service.post('/v1/orgs', { name: 'Wanted', slug: 'wanted' })),
    );
    expect(orgs.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('takes no webhook of others with it, and tells it nothing any more', async () => {
    const { orgId, sourceId } = await withSource('Quiet');
    const webhook = await service.create('/v1/webhooks', { url: 'https://hooks.example.com/quiet', orgId });
    await service.remove(`/v1/orgs/${orgId}?hard=true`);
    await untilPurged(orgId, sourceId);
    const { status, body } = await service.get(`/v1/webhooks/${webhook.id}`, { key: rootApiKey });
    expect(status).toBe(200);
    expect(body).toMatchObject({ orgId, orgSlug: null, orgName: null });
  });

  it('leaves its place in collections', async () => {
    const { orgId, sourceId } = await withSource('Member');
    const stays = await withSource('Stayer');
    const collection = await service.create('/v1/collections', { name: 'Some' });
    const members = [{ orgId }, { orgId: stays.orgId }];
    await service.call('PUT', `/v1/collections/${collection.slug}/members`, { body: { members } });
    await service.remove(`/v1/orgs/${orgId}?hard=true`);
    await untilPurged(orgId, sourceId);
    expect((await service.get(`/v1/collections/${collection.slug}`)).text).not.toContain(orgId);
  });
});
