import { AssignerProtocol, type PartitionAssigner } from 'kafkajs';
import { type Claimant, fairAssignment, type Partitions } from './fair-assignment.ts';

const { MemberAssignment, MemberMetadata } = AssignerProtocol;

/** Members of one group must know each other's way to share, by this name. */
const name = 'registry-fair';
const version = 0;

const claimantOf = ({ memberId, memberMetadata }: { memberId: string; memberMetadata: Buffer }): Claimant => {
  const metadata = MemberMetadata.decode(memberMetadata);
  if (metadata === null) throw new Error(`The member ${memberId} does not say what it consumes.`);
  const { topics, userData } = metadata;
  return {
    member: memberId,
    topics,
    holds: userData.length > 0 ? (JSON.parse(userData.toString()) as Partitions) : {},
  };
};

/** Tells the group what this member holds, and as its leader shares the partitions among all. */
export const createGroupAssigner =
  (holds: () => Partitions): PartitionAssigner =>
  ({ cluster }) => ({
    name,
    version,
    protocol: ({ topics }) => ({
      name,
      metadata: MemberMetadata.encode({ version, topics, userData: Buffer.from(JSON.stringify(holds())) }),
    }),
    assign: async ({ members, topics }) => {
      const claimants = members.map(claimantOf);
      const others = claimants.flatMap((claimant) => claimant.topics.filter((topic) => !topics.includes(topic)));
      if (others.length > 0) await cluster.addMultipleTargetTopics(others);
      const assignment = fairAssignment(claimants, (topic) =>
        cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId),
      );
      return [...assignment].map(([memberId, partitions]) => ({
        memberId,
        memberAssignment: MemberAssignment.encode({ version, assignment: partitions, userData: Buffer.alloc(0) }),
      }));
    },
  });
