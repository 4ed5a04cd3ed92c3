import type { MessageBus, ReceivedMessage } from '../../../src/ports/message-bus.ts';
import {
  type BusNames,
  numbered,
  type Recorder,
  type RecorderOptions,
  soon,
  startRecorder,
  waitingIn,
} from './recorder.ts';

export interface TwoMembers {
  readonly members: readonly [Recorder, Recorder];
  /** What both were given since they had joined, in one order. */
  readonly all: { readonly begun: ReceivedMessage[]; readonly finished: ReceivedMessage[] };
}

/** Two members of one group that have both got messages, so that nobody joins any more; nothing waits. */
export async function joinBoth(
  buses: readonly [MessageBus, MessageBus],
  names: BusNames,
  options: RecorderOptions = {},
): Promise<TwoMembers> {
  const all = { begun: [] as ReceivedMessage[], finished: [] as ReceivedMessage[] };
  const start = (bus: MessageBus) => startRecorder(bus, names, { ...options, into: all });
  const members = [start(buses[0]), start(buses[1])] as const;
  let round = 0;
  await soon('both members get messages', async () => {
    const before = members.map(({ begun }) => begun.length);
    round += 1;
    await buses[0].produce(names.topic, numbered(40, 40, `joining-${round}`));
    await soon('nothing waits', async () => (await waitingIn(buses[0], names)) === 0);
    return members.every(({ begun }, index) => begun.length > before[index]!);
  });
  for (const list of [...members, all]) {
    list.begun.length = 0;
    list.finished.length = 0;
  }
  return { members, all };
}
