import type { ServerWritableStream } from '@grpc/grpc-js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';

export type ReadCall = ServerWritableStream<ReadReq, ReadResp>;

/** Writes to one reader no faster than its flow control allows. */
export interface Outlet {
  /** Resolves when more may be written, or the call is over. */
  readonly write: (message: ReadResp) => Promise<void> | undefined;
  readonly isOver: () => boolean;
  /** Called once, when the reader has gone or the call was ended. */
  readonly onOver: (listener: () => void) => void;
  readonly end: (failure?: Error) => void;
}

export const createOutlet = (call: ReadCall): Outlet => {
  let over = false;
  const listeners: (() => void)[] = [];
  const finish = (): void => {
    if (over) return;
    over = true;
    for (const listener of listeners) listener();
  };
  let drained = (): void => undefined;
  call.on('cancelled', finish);
  call.on('drain', () => drained());
  listeners.push(() => drained());
  return {
    write: (message) => {
      if (over || call.write(message)) return undefined;
      return new Promise((resolve) => {
        drained = resolve;
      });
    },
    isOver: () => over,
    onOver: (listener) => {
      if (over) listener();
      else listeners.push(listener);
    },
    end: (failure) => {
      if (over) return;
      finish();
      if (failure) call.emit('error', failure);
      else call.end();
    },
  };
};
