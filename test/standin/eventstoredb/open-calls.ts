import type { Socket } from 'node:net';
import type { CountedMethod, StandinStats, SubscriptionStats } from './standin-command.ts';

/** What every server-side call object offers. */
export interface Call {
  readonly getPeer: () => string;
  readonly on: (event: 'cancelled', listener: () => void) => unknown;
}

export interface SubscriptionRecord {
  eventsWritten: number;
  checkpointsWritten: number;
  open: boolean;
  readonly id: string;
  readonly stream: string;
}

/** Who is connected to the EventStoreDB stand-in and which calls are in progress. */
export interface OpenCalls {
  readonly connected: (socket: Socket) => void;
  /** The returned function is to be called when the call has been answered; a cancelled call ends by itself. */
  readonly begin: (method: CountedMethod, call: Call) => () => void;
  readonly cut: (call: Call) => void;
  readonly cutAll: () => void;
  readonly appendSeen: () => void;
  readonly streamReadSeen: () => void;
  readonly repeatDropped: () => void;
  readonly subscription: (id: string, stream: string) => SubscriptionRecord;
  readonly stats: () => Omit<StandinStats, 'eventsStored' | 'scavenges'>;
}

export const createOpenCalls = (): OpenCalls => {
  const sockets = new Map<number, Socket>();
  const open = { append: 0, batchAppend: 0, read: 0, subscribe: 0, features: 0, delete: 0, operations: 0 };
  const subscriptions: SubscriptionStats[] = [];
  let appendsSeen = 0;
  let repeatsDropped = 0;
  let readsSeen = 0;
  let streamReadsSeen = 0;
  let batchCallsSeen = 0;
  return {
    connected: (socket) => {
      const port = socket.remotePort ?? 0;
      sockets.set(port, socket);
      socket.once('close', () => sockets.delete(port));
    },
    begin: (method, call) => {
      open[method] += 1;
      if (method === 'read') readsSeen += 1;
      if (method === 'batchAppend') batchCallsSeen += 1;
      let ended = false;
      const end = (): void => {
        if (!ended) open[method] -= 1;
        ended = true;
      };
      call.on('cancelled', end);
      return end;
    },
    cut: (call) => {
      const port = Number(call.getPeer().split(':').at(-1));
      const socket = sockets.get(port);
      if (!socket) throw new Error(`No connection of ${call.getPeer()}`);
      socket.destroy();
    },
    cutAll: () => {
      for (const socket of sockets.values()) socket.destroy();
    },
    appendSeen: () => {
      appendsSeen += 1;
    },
    streamReadSeen: () => {
      streamReadsSeen += 1;
    },
    repeatDropped: () => {
      repeatsDropped += 1;
    },
    subscription: (id, stream) => {
      const record = { id, stream, eventsWritten: 0, checkpointsWritten: 0, open: true };
      subscriptions.push(record);
      return record;
    },
    stats: () => ({
      connections: sockets.size,
      openCalls: { ...open },
      appendsSeen,
      repeatsDropped,
      readsSeen,
      streamReadsSeen,
      batchCallsSeen,
      subscriptions,
    }),
  };
};
