import type { Metadata, ServiceError } from '@grpc/grpc-js';
import type { EventLog } from './log/event-log.ts';

export type NodeState = 'leader' | 'follower' | 'catching-up' | 'unknown';

export interface Member {
  readonly host: string;
  readonly port: number;
  readonly state: NodeState;
}

/** What one node of the EventStoreDB stand-in knows about the cluster; one that is alone leads itself. */
export interface Membership {
  /** What a call that requires the leader is answered here; nothing when this node is the one. */
  readonly refusal: (metadata: Metadata) => ServiceError | undefined;
  /** Where writes of this node end up: a follower hands them on. Nothing while it cannot reach a leader. */
  readonly leadersLog: () => EventLog | undefined;
  readonly members: () => readonly Member[];
}
