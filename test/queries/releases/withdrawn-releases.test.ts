import { afterAll, beforeAll, expect, it } from 'vitest';
import { withdrawnReleases } from '../../../queries/releases/withdrawn-releases.ts';
import type { DomainEvent } from '../../../src/kernel/event.ts';
import { linked, suppressed, unsuppressed } from '../../spec/events/release-events.ts';
import { openSampleRegistry, releaseIdOf, type SampleRegistry, sourceIdOf } from '../../spec/worlds/sample-registry.ts';

let registry: SampleRegistry;

// One story for all: nothing below writes.
beforeAll(async () => {
  registry = await openSampleRegistry();
  const { addOrg, addSource, addRelease, org, source } = registry;
  for (const name of ['acme', 'shy', 'gone']) await addOrg(name);
  await addSource('blog', 'acme');
  await addSource('veiled', 'acme');
  await addSource('dropped', 'acme');
  await addSource('alone', null);
  await addSource('shynews', 'shy');
  await addSource('gonenews', 'gone');
  for (const [release, of] of [
    ['shown', 'blog'],
    ['hiddensource', 'veiled'],
    ['deletedsource', 'dropped'],
    ['orgless', 'alone'],
    ['hiddenorg', 'shynews'],
    ['deletedorg', 'gonenews'],
    ['takendown', 'blog'],
    ['broughtback', 'blog'],
    ['covering', 'blog'],
  ] as const) {
    await addRelease(release, of);
  }
  const sourceId = sourceIdOf('blog');
  const decide = (name: string, ...events: DomainEvent[]) => registry.record(`release-${releaseIdOf(name)}`, events);
  await decide('takendown', suppressed(sourceId, null));
  await decide('broughtback', suppressed(sourceId, null), unsuppressed(sourceId, null));
  await decide('covering', linked(sourceId, null, releaseIdOf('shown')));
  await source('veiled', 'Hidden');
  await source('dropped', 'Deleted');
  await org('shy', 'Hidden');
  await org('gone', 'Deleted');
});
afterAll(() => registry.close());

const withdrawnOf = async (...names: string[]): Promise<string[]> => {
  const withdrawn = await withdrawnReleases(registry, { releaseIds: names.map(releaseIdOf) });
  return names.filter((name) => withdrawn.has(releaseIdOf(name)));
};

it('names those that are taken down, or whose source or org is hidden or deleted, whatever else is asked for', async () => {
  const hidden = ['hiddensource', 'deletedsource', 'hiddenorg', 'deletedorg', 'takendown'];
  expect(await withdrawnOf('shown', ...hidden, 'orgless', 'unknown')).toEqual(hidden);
  for (const name of hidden) expect(await withdrawnOf(name)).toEqual([name]);
});

it('does not take a release for withdrawn that it does not know, or that is shown', async () => {
  expect(await withdrawnOf('unknown')).toEqual([]);
  expect(await withdrawnOf('shown', 'orgless', 'shown', 'broughtback', 'covering')).toEqual([]);
  expect(await withdrawnOf()).toEqual([]);
});
