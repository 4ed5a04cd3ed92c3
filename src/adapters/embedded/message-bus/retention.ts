import type { Clock } from '../../../ports/clock.ts';
import type { BusReader } from './reader.ts';
import { isPassing } from '../sqlite/group-commit.ts';
import type { OpsWriterClient } from '../operational-store/writer-client.ts';

const everyMs = 60_000;

/** Removes what is older than its topic keeps, a little at a time; writes nothing when nothing is. */
export async function keepRetention(
  clock: Clock,
  reader: BusReader,
  writer: OpsWriterClient,
  stop: AbortSignal,
): Promise<void> {
  const removeOld = async (): Promise<void> => {
    for (const { partitionId, retentionMs, oldestMs } of reader.ages()) {
      const beforeMs = clock.nowMs() - retentionMs;
      let isMore = oldestMs !== null && oldestMs < beforeMs;
      while (isMore && !stop.aborted) isMore = await writer.call('removeOld', { partitionId, beforeMs });
    }
  };
  while (!stop.aborted) {
    try {
      await removeOld();
    } catch (error) {
      if (!isPassing(error)) throw error;
      // The file is locked or the disk full: who writes is told so, and what is old goes in the next round.
    }
    await clock.sleep(everyMs, stop);
  }
}
