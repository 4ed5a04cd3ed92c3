import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { purgeSource } from '../../../../commands/source/purge-source.ts';
import { writeSummary } from '../../../../commands/summary/write-summary.ts';
import type { PurgeJobs } from '../../../../src/records/purge-jobs.ts';
import { openPurgeWorld, type PurgeWorld } from './purge-world.ts';

let world: PurgeWorld;

beforeEach(async () => {
  world = await openPurgeWorld();
});

afterEach(() => world.close());

const purgedSourceWithSummary = async () => {
  const { sourceId } = await world.small('Acme');
  const { commands } = world.runners;
  const fields = { type: 'rolling', summary: 'Some releases.', releaseCount: 1 };
  const { id: summaryId } = await commands.run(writeSummary, { sourceId, fields }, world.nextRequest());
  await commands.run(purgeSource, { sourceId, isAsked: true }, world.nextRequest());
  return { sourceId, summaryId };
};

const isPurged = async (sourceId: string) => (await world.typesIn(`source-${sourceId}`)).includes('PurgeCompleted.v1');

describe('a purge of a source with a summary', () => {
  it('waits for the erasure of its releases, as nothing is erased behind them', async () => {
    const { sourceId, summaryId } = await purgedSourceWithSummary();
    await world.purgeAll();
    expect(world.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect(await world.typesIn(`summary-${summaryId}`)).toEqual(['SummaryRemoved.v1']);
    expect(await isPurged(sourceId)).toBe(true);
  });

  it('comes to its end, too, when an older version has saved how far it is', async () => {
    const { sourceId } = await purgedSourceWithSummary();
    const { jobs } = world.deps;
    const save: PurgeJobs['save'] = (changed, ...rest) => {
      const asBefore = changed.map(({ erasedPosition: _, ...job }) => job);
      return jobs.save(asBefore, ...rest);
    };
    await world.purgeAll({ jobs: { ...jobs, save } });
    expect(await isPurged(sourceId)).toBe(true);
  });
});
