/** Partitions by topic. */
export type Partitions = Readonly<Record<string, readonly number[]>>;

export interface Claimant {
  readonly member: string;
  readonly topics: readonly string[];
  /** What it has had until now. */
  readonly holds: Partitions;
}

/**
 * Shares each topic evenly among the members that want it, and leaves a partition with the member that has it where
 * that is fair: whatever moves takes the messages in hand with it. Members that lack a whole partition of a topic are
 * first with the next topic.
 */
export function fairAssignment(
  claimants: readonly Claimant[],
  partitionsOf: (topic: string) => readonly number[],
): Map<string, Record<string, number[]>> {
  const assignment = new Map(claimants.map(({ member }) => [member, {} as Record<string, number[]>]));
  const loads = new Map(claimants.map(({ member }) => [member, 0]));

  const assignTopic = (topic: string): void => {
    const all = partitionsOf(topic);
    const free = new Set(all);
    const rivals = claimants
      .filter(({ topics }) => topics.includes(topic))
      .map(({ member, holds }) => {
        const held = (holds[topic] ?? []).filter((partition) => free.delete(partition)); // two may believe to have it
        return { member, held, load: loads.get(member)! };
      });
    const least = Math.floor(all.length / rivals.length);
    let more = all.length % rivals.length;
    const ranked = rivals.sort(
      (a, b) => b.held.length - a.held.length || a.load - b.load || (a.member < b.member ? -1 : 1),
    );
    const shares = ranked.map(({ member, held }) => {
      const share = more > 0 ? least + 1 : least;
      more -= 1;
      for (const partition of held.slice(share)) free.add(partition);
      return { member, share, given: held.slice(0, share) };
    });
    const rest = [...free].sort((a, b) => a - b);
    for (const { member, share, given } of shares) {
      const own = [...given, ...rest.splice(0, share - given.length)].sort((a, b) => a - b);
      if (own.length > 0) assignment.get(member)![topic] = own;
      loads.set(member, loads.get(member)! + own.length);
    }
  };

  for (const topic of [...new Set(claimants.flatMap(({ topics }) => topics))].sort()) assignTopic(topic);
  return assignment;
}
