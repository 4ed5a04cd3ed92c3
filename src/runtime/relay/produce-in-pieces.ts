import type { BusMessage, MessageBus } from '../../ports/message-bus.ts';

const pieceSize = 500;

export interface Pieces {
  /** Keeps it, and produces what is kept for the topic once that is a piece. */
  readonly add: (topic: string, message: BusMessage) => Promise<void>;
  /** Produces the rest. */
  readonly finish: () => Promise<void>;
  /** How many were added. */
  readonly count: () => number;
}

/** Any number of messages, in bounded calls and bounded memory; those of one topic in the order in which they come. */
export function produceInPieces(bus: Pick<MessageBus, 'produce'>): Pieces {
  const kept = new Map<string, BusMessage[]>();
  let count = 0;
  return {
    add: async (topic, message) => {
      const piece = kept.get(topic) ?? [];
      kept.set(topic, piece);
      count += 1;
      if (piece.push(message) < pieceSize) return;
      kept.delete(topic);
      await bus.produce(topic, piece);
    },
    finish: async () => {
      for (const [topic, piece] of kept) await bus.produce(topic, piece);
      kept.clear();
    },
    count: () => count,
  };
}
