import type { BusMessage, MessageBus } from '../../ports/message-bus.ts';

const pieceSize = 500;
/** Below what a broker takes of one partition at once. */
const pieceBytesMax = 500_000;

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
  const kept = new Map<string, { readonly messages: BusMessage[]; bytes: number }>();
  let count = 0;
  return {
    add: async (topic, message) => {
      const piece = kept.get(topic) ?? { messages: [], bytes: 0 };
      kept.set(topic, piece);
      count += 1;
      piece.messages.push(message);
      piece.bytes += message.value.length;
      if (piece.messages.length < pieceSize && piece.bytes < pieceBytesMax) return;
      kept.delete(topic);
      await bus.produce(topic, piece.messages);
    },
    finish: async () => {
      for (const [topic, { messages }] of kept) await bus.produce(topic, messages);
      kept.clear();
    },
    count: () => count,
  };
}
