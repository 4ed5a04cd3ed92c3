import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The requests in hand, by connection: what each connection still owes its client. */
export interface Exchanges {
  /** Answers how many requests came on that connection, with this one. */
  readonly count: (socket: Duplex) => number;
  /** `onDone` is called once, when the answer is out or the connection is gone. */
  readonly begin: (exchange: Exchange, onDone: () => void) => void;
  /** In the order in which they came, which is that of the answers. */
  readonly of: (socket: Duplex) => readonly Exchange[];
  readonly all: () => Exchange[];
  readonly isInHand: (socket: Duplex) => boolean;
}

interface OfConnection {
  requests: number;
  readonly open: Map<Exchange, () => void>;
}

export function createExchanges(): Exchanges {
  const bySocket = new Map<Duplex, OfConnection>();

  const begun = (socket: Duplex): OfConnection => {
    const own = { requests: 0, open: new Map<Exchange, () => void>() };
    bySocket.set(socket, own);
    // An answer that waits for its turn behind another one is not told when the connection is gone.
    socket.once('close', () => {
      bySocket.delete(socket);
      for (const onDone of own.open.values()) onDone();
    });
    return own;
  };
  const on = (socket: Duplex): OfConnection => bySocket.get(socket) ?? begun(socket);

  return {
    count: (socket) => (on(socket).requests += 1),
    begin: (exchange, onDone) => {
      const { open } = on(exchange.request.socket);
      open.set(exchange, onDone);
      // It is told once; `once` would only cost more.
      exchange.response.on('close', () => {
        if (bySocket.has(exchange.request.socket) && open.delete(exchange)) onDone();
      });
    },
    of: (socket) => [...(bySocket.get(socket)?.open.keys() ?? [])],
    isInHand: (socket) => (bySocket.get(socket)?.open.size ?? 0) > 0,
    all: () => [...bySocket.values()].flatMap(({ open }) => [...open.keys()]),
  };
}
