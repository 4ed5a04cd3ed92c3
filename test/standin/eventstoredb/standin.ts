import { createFaults } from './faults.ts';
import { notLeader, notReady, requiresLeader } from './grpc-failure.ts';
import type { Membership } from './membership.ts';
import type { StandinCommand, StandinStats } from './standin-command.ts';
import { createNode, type StandinNode, type StandinSettings } from './standin-node.ts';
import type { StandinParts } from './standin-parts.ts';
import type { StoredEvent } from './log/stored-event.ts';

export interface Standin {
  readonly nodes: readonly StandinParts[];
  /** In the order of the nodes, to be filled in when they listen. */
  readonly ports: number[];
  readonly control: (command: StandinCommand) => StandinStats | null;
}

/** The nodes of one EventStoreDB stand-in, of which one leads, and what the control channel can ask of them. */
export const createStandin = (settings: StandinSettings, nodeCount: number): Standin => {
  if (nodeCount > 1 && settings.dataFile !== undefined) throw new Error('Only one node alone keeps a file.');
  const { host } = settings;
  const faults = createFaults();
  const ports: number[] = [];
  const nodes: StandinNode[] = [];
  let leader: number | undefined = 0;
  /** What has not come to a node that is cut off from the others. */
  const missed = new Map<number, StoredEvent[]>();

  const catchUp = (index: number): void => {
    const events = missed.get(index);
    missed.delete(index);
    if (events) nodes[index]?.parts.log.replicate(events);
  };
  /** What was answered is on every node that is not cut off, so each of them can lead. */
  const replicate = (from: number, events: readonly StoredEvent[]): void => {
    nodes.forEach(({ parts }, index) => {
      if (index === from) return;
      const waiting = missed.get(index);
      if (waiting) waiting.push(...events);
      else parts.log.replicate(events);
    });
  };
  const membershipOf = (index: number): Membership => ({
    refusal: (metadata) => {
      if (leader === index || !requiresLeader(metadata)) return undefined;
      return leader === undefined ? notReady() : notLeader(`${host}:${ports[leader]}`);
    },
    leadersLog: () => (leader === undefined || missed.has(index) ? undefined : nodes[leader]?.parts.log),
    members: () =>
      ports.map((port, other) => {
        if (leader === undefined) return { host, port, state: 'unknown' };
        if (other === leader) return { host, port, state: 'leader' };
        return { host, port, state: missed.has(other) ? 'catching-up' : 'follower' };
      }),
  });
  for (let index = 0; index < nodeCount; index += 1) {
    const onStored = (events: readonly StoredEvent[]): void => replicate(index, events);
    nodes.push(createNode({ settings, faults, membership: membershipOf(index), onStored }));
  }
  const first = nodes[0];
  if (!first) throw new Error('A stand-in has at least one node.');
  if (first.parts.log.length() === 0) first.begin();

  const elect = (next: number | null, oldLags: boolean): void => {
    if (next !== null && !nodes[next]) throw new Error(`There is no node ${next}.`);
    if (leader !== undefined) {
      nodes[leader]?.parts.inFlight.discard();
      if (oldLags && leader !== next) missed.set(leader, []);
    }
    if (next !== null) catchUp(next);
    leader = next ?? undefined;
  };
  const reset = (): void => {
    faults.clear();
    missed.clear();
    leader = 0;
    for (const { empty } of nodes) empty();
    first.begin();
  };

  const control = (command: StandinCommand): StandinStats | null => {
    if ('fault' in command) {
      const now = command.fault === 'end-subscriptions' && command.afterEvents === undefined;
      if (now) for (const { endSubscriptions } of nodes) endSubscriptions(command.status ?? 'OK');
      else faults.arm(command);
      return null;
    }
    if (command.command === 'stats') return nodes[command.node ?? 0]?.stats() ?? null;
    if (command.command === 'drop-connections') for (const { parts } of nodes) parts.calls.cutAll();
    else if (command.command === 'clear') faults.clear();
    else if (command.command === 'reset') reset();
    else if (command.command === 'release-commits') for (const { parts } of nodes) parts.inFlight.release();
    else if (command.command === 'time-out-commits') for (const { parts } of nodes) parts.inFlight.timeOut();
    else if (command.command === 'elect') elect(command.node, command.oldLags ?? false);
    else if (command.command === 'catch-up') for (const index of [...missed.keys()]) catchUp(index);
    else if (leader !== undefined) nodes[leader]?.writeSystemEvent();
    return null;
  };
  return { nodes: nodes.map(({ parts }) => parts), ports, control };
};
