import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReleaseHint } from '../../src/compose/release-hint.ts';
import { eventually } from '../spec/eventually.ts';
import { type HttpService, noFetches, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, createTestSource } from '../spec/http/preamble.ts';
import { openTestBackends } from '../spec/servers/test-backends.ts';
import type { Standin } from '../standin/eventstoredb/standin-process.ts';
import { type GithubStandin, startGithubStandin } from '../standin/github/github-standin.ts';

let github: GithubStandin;
let standin: Standin;
let service: HttpService;

beforeAll(async () => {
  github = await startGithubStandin();
  const backends = await openTestBackends(['eventstoredb']);
  standin = backends.standin!;
  const fetching = { ...noFetches, githubApiUrl: github.url, isScheduleOn: true };
  service = await startHttpService({ backends, fetching });
});
afterAll(async () => {
  await service.close();
  await github.close();
});

const callsOf = async <Answer>(work: () => Promise<Answer>) => {
  const before = await standin.stats();
  const answer = await work();
  const { streamReadsSeen, appendsSeen } = await standin.stats();
  return {
    answer,
    reads: streamReadsSeen - before.streamReadsSeen,
    appends: appendsSeen - before.appendsSeen,
  };
};

/** The schedule reads the source of a fetch that it begins, which would be counted. */
const neverDue = { fetchPriority: 'paused' };

const numbers = Array.from({ length: 20 }, (_, index) => index);

describe('twenty releases on EventStoreDB', () => {
  it('are stored unread when they are new, and read once each when they are known', async () => {
    const { id: orgId } = await createTestOrg(service, 'Batcher');
    const source = await createTestSource(service, 'Batcher', { orgId, ...neverDue });
    const releases = numbers.map((number) => ({ title: `v${number}`, version: `1.${number}.0` }));
    const send = () => service.post(`/v1/sources/${source.id}/releases/batch`, { releases });
    const first = await callsOf(send);
    expect(first.answer.body).toMatchObject({ inserted: 20 });
    expect(first.appends).toBe(20);
    expect(first.reads).toBeLessThanOrEqual(2); // of the source and its org
    const streams = first.answer.body.insertedIds.map((id: string) => `release-${id}`);
    const { live, log } = service.registry;
    const areKnown = async () => (await createReleaseHint(live, log).knownStreams(streams)).size === 20;
    await eventually('the releases are projected', areKnown);
    const second = await callsOf(send);
    expect(second.answer.body).toMatchObject({ unchanged: 20 });
    expect(second.appends).toBe(0);
    expect(second.reads).toBeLessThanOrEqual(22);
  });

  it('are stored unread when they were fetched', async () => {
    github.put('acme/rocket', { releases: numbers.map((number) => ({ tag: `v1.${number}.0` })) });
    const url = 'https://github.com/acme/rocket';
    const { id } = await service.create('/v1/sources', { name: 'Rocket', url, ...neverDue });
    const logOf = async () => (await service.get(`/v1/sources/${id}/fetch-log`, { key: rootApiKey })).body.items;
    const { reads } = await callsOf(async () => {
      await service.post(`/v1/sources/${id}/fetch`, undefined);
      await eventually('the fetch is logged', async () => (await logOf()).length === 1);
    });
    expect(await logOf()).toMatchObject([{ releasesInserted: 20, status: 'success' }]);
    // The source and its org, by those who ask for the fetch, do it and store what it found; but no release.
    expect(reads).toBeLessThan(numbers.length);
  });
});
