import { partitionOfKey } from './partition-of-key.ts';

/**
 * How many partitions of the topic this member should hold: an equal part, and the first ones of the remainder get one
 * more. Who is first differs from topic to topic, so that the single partitions of many topics do not all go to one.
 */
export function fairShare(topic: string, partitions: number, member: string, members: readonly string[]): number {
  const rank = members.toSorted().indexOf(member);
  if (rank < 0) return 0;
  const turned = (rank + partitionOfKey(topic, members.length)) % members.length;
  return Math.floor(partitions / members.length) + (turned < partitions % members.length ? 1 : 0);
}
