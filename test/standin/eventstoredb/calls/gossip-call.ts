import { randomUUID } from 'node:crypto';
import type { handleUnaryCall } from '@grpc/grpc-js';
import gossipPb from '@eventstore/db-client/generated/gossip_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import type { NodeState } from '../membership.ts';
import type { StandinParts } from '../standin-parts.ts';

const { CATCHINGUP, FOLLOWER, LEADER, UNKNOWN } = gossipPb.MemberInfo.VNodeState;
const states = {
  leader: LEADER,
  follower: FOLLOWER,
  'catching-up': CATCHINGUP,
  unknown: UNKNOWN,
} as const satisfies Record<NodeState, number>;

/** Gossip.Read: who belongs to the cluster, and who leads it. */
export const gossipCall =
  ({ membership, nowMs }: StandinParts): handleUnaryCall<Empty, ClusterInfo> =>
  (_call, callback) => {
    const info = new gossipPb.ClusterInfo();
    for (const { host, port, state } of membership.members()) {
      const member = new gossipPb.MemberInfo().setInstanceId(new sharedPb.UUID().setString(randomUUID()));
      member.setTimeStamp(String(nowMs())).setState(states[state]).setIsAlive(true);
      info.addMembers(member.setHttpEndPoint(new gossipPb.EndPoint().setAddress(host).setPort(port)));
    }
    callback(null, info);
  };
