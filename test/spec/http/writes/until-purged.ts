import { openPurgeJobs } from '../../../../src/records/purge-jobs.ts';
import { eventually } from '../../eventually.ts';
import type { HttpService } from '../http-service.ts';

/** A purge goes on behind the answer that begins it. */
export async function untilPurged({ registry }: Pick<HttpService, 'registry'>, ...ids: string[]): Promise<void> {
  const jobs = await openPurgeJobs(registry.ops);
  await eventually(
    'the purges are done',
    async () => {
      const found = await jobs.find(ids);
      return ids.every((id) => found.get(id)?.phase === 'done');
    },
    { withinMs: 60_000, everyMs: 20 },
  );
}
