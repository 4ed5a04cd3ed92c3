import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The requests in hand, by connection: what each connection still owes its client. */
export interface Exchanges {
  /** `onDone` is called once, when the answer is out or the connection is gone. */
  readonly begin: (exchange: Exchange, onDone: () => void) => void;
  /** In the order in which they came, which is that of the answers. */
  readonly of: (socket: Duplex) => readonly Exchange[];
  readonly all: () => Exchange[];
}

export function createExchanges(): Exchanges {
  const bySocket = new Map<Duplex, Map<Exchange, () => void>>();

  const openOn = (socket: Duplex): Map<Exchange, () => void> => {
    const known = bySocket.get(socket);
    if (known !== undefined) return known;
    const open = new Map<Exchange, () => void>();
    bySocket.set(socket, open);
    // An answer that waits for its turn behind another one is not told when the connection is gone.
    socket.once('close', () => {
      bySocket.delete(socket);
      for (const onDone of open.values()) onDone();
    });
    return open;
  };

  return {
    begin: (exchange, onDone) => {
      const open = openOn(exchange.request.socket);
      open.set(exchange, onDone);
      exchange.response.once('close', () => {
        if (bySocket.has(exchange.request.socket) && open.delete(exchange)) onDone();
      });
    },
    of: (socket) => [...(bySocket.get(socket)?.keys() ?? [])],
    all: () => [...bySocket.values()].flatMap((open) => [...open.keys()]),
  };
}
