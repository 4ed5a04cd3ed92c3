import { expect, it } from 'vitest';
import { purgeSource } from '../../../../commands/source/purge-source.ts';
import type { PurgeDeps } from '../../../../src/runtime/jobs/purging/purge-deps.ts';
import { openPurgeWorld } from './purge-world.ts';

it('a purge lets others have a turn before it decides the next few streams', async () => {
  const world = await openPurgeWorld();
  const { sourceId, releaseIds } = await world.small('Acme');
  const added = await world.ingest(sourceId, 100, 'text');
  await world.runners.commands.run(purgeSource, { sourceId, isAsked: true }, world.nextRequest());
  let turns = 0;
  let decisions = 0;
  const decided: number[] = [];
  const run: PurgeDeps['batches']['run'] = (command, input, request) => {
    decisions += 1;
    expect(decisions).toBeLessThanOrEqual(turns);
    decided.push((input as { readonly releaseIds: readonly string[] }).releaseIds.length);
    return world.deps.batches.run(command, input, request);
  };
  const mayGoOn = async () => {
    turns += 1;
  };
  await world.purgeAll({ batches: { run }, mayGoOn });
  expect(decided.reduce((sum, count) => sum + count, 0)).toBe(releaseIds.length + added.length);
  expect(Math.max(...decided)).toBeLessThanOrEqual(25);
  await world.close();
});
