import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orgDetail } from '../../queries/orgs/org-detail.ts';
import { overviewOf } from '../../queries/overview.ts';
import type { Cause } from '../../src/kernel/event.ts';
import { neverFetched } from '../../src/records/fetch-state.ts';
import { suppressed } from '../spec/events/release-events.ts';
import {
  openSampleRegistry,
  orgIdOf,
  releaseIdOf,
  type SampleRegistry,
  sourceIdOf,
} from '../spec/worlds/sample-registry.ts';

const at = '2026-03-10T00:00:00.000Z';
const nowMs = Date.parse('2026-03-15T12:00:00.000Z');

let registry: SampleRegistry;
beforeAll(async () => {
  registry = await openSampleRegistry();
});
afterAll(() => registry.close());

/** An org with a release that its overview cites, and one that only its writer was shown. */
async function addOrgWithOverview(org: string, cause: Cause): Promise<void> {
  await registry.addOrg(org);
  for (const part of ['cited', 'shown']) {
    await registry.addSource(`${org}-${part}`, org);
    await registry.addRelease(`${org}-${part}`, `${org}-${part}`, { publishedAt: at });
  }
  const citations = [{ sourceUrl: 'https://acme.example', releaseId: releaseIdOf(`${org}-cited`) }];
  const text = { content: 'Rockets.', releaseCount: 2, lastContributingReleaseAt: at, generatedAt: at, updatedAt: at };
  const data = { ...text, citations, shownReleaseIds: [releaseIdOf(`${org}-shown`)] };
  await registry.record(`overview-${orgIdOf(org)}`, [{ type: 'OverviewWritten.v1', data }], { cause });
}

/** By itself, and as a part of its org. */
async function contentsOf(slug: string) {
  const { models, catalogue } = registry;
  await catalogue.refresh();
  const own = await overviewOf({ models, catalogue }, orgIdOf(slug), nowMs);
  const fetchStates = async (ids: readonly string[]) => ids.map(() => neverFetched);
  const org = await orgDetail({ models, catalogue, fetchStates }, { org: slug }, { nowMs, admin: false });
  return [own?.content ?? null, org.overview?.content ?? null];
}

const suppress = (name: string) => registry.record(`release-${releaseIdOf(name)}`, [suppressed(sourceIdOf(name), at)]);

describe('a generated overview', () => {
  const withdrawals: Readonly<Record<string, (org: string) => Promise<unknown>>> = {
    'that it cites is taken down': (org) => suppress(`${org}-cited`),
    'that its writer was shown is taken down': (org) => suppress(`${org}-shown`),
    'is of a source that was hidden': (org) => registry.source(`${org}-cited`, 'Hidden'),
    'is of a source that was deleted': (org) => registry.source(`${org}-shown`, 'Deleted'),
  };
  const cases = Object.entries(withdrawals).map(([what, withdraw], number) => ({ what, withdraw, org: `o${number}` }));

  it.each(cases)('is not shown once a release $what', async ({ org, withdraw }) => {
    await addOrgWithOverview(org, 'generate');
    expect(await contentsOf(org)).toEqual(['Rockets.', 'Rockets.']);
    await withdraw(org);
    expect(await contentsOf(org)).toEqual([null, null]);
  });
});

it('shows what somebody wrote, whatever became of the releases', async () => {
  await addOrgWithOverview('people', 'edit');
  await suppress('people-cited');
  expect(await contentsOf('people')).toEqual(['Rockets.', 'Rockets.']);
});
