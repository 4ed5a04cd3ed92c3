import type { BusMessage } from '../../ports/message-bus.ts';
import { messageBytes, messageBytesMax } from '../dispatch/checked-messages.ts';
import { TimedOut } from '../within-time.ts';

/** The messages for one topic, in the order in which they were brought. */
export interface TopicQueue {
  /** Resolves when all are stored. */
  readonly put: (messages: readonly BusMessage[]) => Promise<void>;
}

interface Call {
  parcelsLeft: number;
  /** It was settled: what is left of it is not sent. */
  isOver: boolean;
  readonly settle: (failure?: { readonly error: unknown }) => void;
}

interface Parcel {
  readonly call: Call;
  readonly messages: readonly BusMessage[];
  readonly bytes: number;
}

/** A broker refuses what is larger for one partition, and all messages may be for the same. */
const parcelBytesMax = messageBytesMax;
/** What a message costs beside its own bytes, as a rule. */
const frameBytes = 40;
const callMs = 9_000;

function* parcelsOf(call: Call, messages: readonly BusMessage[]): Generator<Parcel> {
  let start = 0;
  let bytes = 0;
  for (const [index, message] of messages.entries()) {
    const size = messageBytes(message) + frameBytes;
    if (index > start && bytes + size > parcelBytesMax) {
      yield { call, messages: messages.slice(start, index), bytes };
      [start, bytes] = [index, 0];
    }
    bytes += size;
  }
  yield { call, messages: messages.slice(start), bytes };
}

/**
 * One request at a time, and all that came meanwhile with the next one. The library takes back the number of a request
 * whose answer was lost and gives it to whatever is sent next; if the broker had stored the first, it would take the
 * next one for a repetition, say that it is stored and drop it. Alone, the next one is the same request again.
 */
export function createTopicQueue(store: (messages: BusMessage[]) => Promise<void>): TopicQueue {
  const waiting: Parcel[] = [];
  let isSending = false;

  const take = (): Parcel[] => {
    const parcels: Parcel[] = [];
    let bytes = 0;
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (!next.call.isOver) {
        if (parcels.length > 0 && bytes + next.bytes > parcelBytesMax) break;
        bytes += next.bytes;
        parcels.push(next);
      }
      waiting.shift();
    }
    return parcels;
  };

  const sendAll = async (): Promise<void> => {
    isSending = true;
    for (let parcels = take(); parcels.length > 0; parcels = take()) {
      try {
        await store(parcels.flatMap(({ messages }) => messages));
      } catch (error) {
        for (const { call } of parcels) call.settle({ error });
        continue;
      }
      for (const { call } of parcels) {
        call.parcelsLeft -= 1;
        if (call.parcelsLeft === 0) call.settle();
      }
    }
    isSending = false;
  };

  return {
    put: (messages) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => call.settle({ error: new TimedOut({ server: 'Kafka', what: 'produce', timeoutMs: callMs }) }),
          callMs,
        );
        const call: Call = {
          parcelsLeft: 0,
          isOver: false,
          settle: (failure) => {
            if (call.isOver) return;
            call.isOver = true;
            clearTimeout(timer);
            if (failure === undefined) resolve();
            else reject(failure.error as Error);
          },
        };
        for (const parcel of parcelsOf(call, messages)) {
          call.parcelsLeft += 1;
          waiting.push(parcel);
        }
        if (!isSending) void sendAll();
      }),
  };
}
