import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ClosingResponse } from './closing-response.ts';

/** A request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ClosingResponse;
}

/** The requests in hand, by connection: what each connection still owes its client. */
export interface Exchanges {
  /** Answers how many requests came on that connection, with this one. */
  readonly count: (socket: Duplex) => number;
  readonly begin: (exchange: Exchange) => void;
  /** In the order in which they came, which is that of the answers. */
  readonly of: (socket: Duplex) => readonly Exchange[];
  readonly all: () => Exchange[];
}

interface OfConnection {
  requests: number;
  /** Those that are done are forgotten at the next look: to be told of each would cost as much as to send it. */
  readonly exchanges: Exchange[];
}

const isInHand = ({ response }: Exchange): boolean => !response.closed;

export function createExchanges(): Exchanges {
  const bySocket = new Map<Duplex, OfConnection>();

  const begun = (socket: Duplex): OfConnection => {
    const own = { requests: 0, exchanges: [] };
    bySocket.set(socket, own);
    // With the answers that wait for their turn behind another one, which are not told that the connection is gone.
    socket.once('close', () => bySocket.delete(socket));
    return own;
  };
  const on = (socket: Duplex): OfConnection => bySocket.get(socket) ?? begun(socket);

  const inHand = ({ exchanges }: OfConnection): readonly Exchange[] => {
    // Answers leave in their order.
    while (exchanges.length > 0 && !isInHand(exchanges[0]!)) exchanges.shift();
    return exchanges;
  };

  return {
    count: (socket) => (on(socket).requests += 1),
    begin: (exchange) => {
      const own = on(exchange.request.socket);
      inHand(own);
      own.exchanges.push(exchange);
    },
    of: (socket) => {
      const own = bySocket.get(socket);
      return own === undefined ? [] : inHand(own);
    },
    all: () => [...bySocket.values()].flatMap(inHand),
  };
}
