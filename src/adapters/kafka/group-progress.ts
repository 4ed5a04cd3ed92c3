import type { Admin } from 'kafkajs';
import type { Clock } from '../../ports/clock.ts';
import type { GroupProgress } from '../../ports/message-bus.ts';
import { isSettling } from './failures.ts';
import type { Link } from './link.ts';

const settleMs = 7_000;
const settleEveryMs = 200;

/** What the group committed is read first, so that it is never ahead of what there is. */
async function progressOf(admin: Admin, group: string, topics: readonly string[]): Promise<GroupProgress[]> {
  const committed = await admin.fetchOffsets({ groupId: group, topics: [...topics] });
  const offsets = new Map(
    committed.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, offset }) => [`${topic} ${partition}`, Number(offset)] as const),
    ),
  );
  const progress: GroupProgress[] = [];
  for (const topic of topics) {
    const kept = await admin.fetchTopicOffsets(topic);
    for (const { partition, low, high } of kept.sort((a, b) => a.partition - b.partition)) {
      // Below 0 for a group that has committed nothing.
      const next = Math.max(Number(low), offsets.get(`${topic} ${partition}`) ?? 0);
      progress.push({ topic, partition, waiting: Math.max(0, Number(high) - next) });
    }
  }
  return progress;
}

/** How far the group is in these topics, which are there. */
export async function readProgress(
  admin: Link<Admin>,
  clock: Clock,
  group: string,
  topics: readonly string[],
): Promise<GroupProgress[]> {
  const deadlineMs = clock.nowMs() + settleMs;
  for (;;) {
    try {
      return await admin.use((client) => progressOf(client, group, topics));
    } catch (error) {
      if (!isSettling(error) || clock.nowMs() > deadlineMs) throw error;
    }
    await clock.sleep(settleEveryMs);
  }
}
