import { setMaxListeners } from 'node:events';
import type { ReceivedMessage } from '../../ports/message-bus.ts';
import { createOffsetWindow } from './offset-window.ts';

/** A message before anybody tried it. */
export type UntriedMessage = Omit<ReceivedMessage, 'attempt'>;

export interface Entry {
  readonly message: UntriedMessage;
  readonly chars: number;
  attempts: number;
}

/** The messages of one key of one partition that have not begun. */
export interface KeyQueue {
  readonly partition: PartitionState;
  readonly key: string;
  readonly waiting: Entry[];
  running: number;
  isReady: boolean;
}

/** What the dispatcher sees of a partition. */
export interface PartitionState {
  /** Handlers that run and dead letters that are being stored. */
  inHand: number;
  /** Nothing new begins. */
  readonly isEnding: boolean;
  readonly lost: AbortSignal;
  readonly queueOf: (key: string) => KeyQueue;
  /** Drops the queue when nothing is in it. */
  readonly forget: (queue: KeyQueue) => void;
  /** True when there is room again where there was none. */
  readonly finish: (entry: Entry) => boolean;
  /** One that was in hand no longer is. */
  readonly letGo: () => void;
}

/** One partition in the hands of this member. */
export interface DispatchedPartition {
  /** In the order of the partition. */
  readonly add: (message: UntriedMessage) => void;
  /** False while it holds enough that is not finished; reading goes on when `onRoom` was called. */
  readonly hasRoom: () => boolean;
  /** The offset to commit: the first message that is not finished, or the one behind the last. */
  readonly next: () => number;
  /** Begins nothing more and resolves when all that had begun has ended; then `next` stays. */
  readonly giveUp: () => Promise<void>;
  /** Another member has it: fires the signal of what is in hand, which no longer counts. */
  readonly lose: () => void;
}

/** Enough to find work for other keys behind a busy one. */
const unfinishedMin = 512;
const unfinishedCharsMax = 2 * 1024 * 1024;

export function createDispatchedPartition(
  startOffset: number,
  onWaiting: (queue: KeyQueue) => void,
  concurrency: number,
): DispatchedPartition {
  const unfinishedMax = Math.max(unfinishedMin, 2 * concurrency);
  const window = createOffsetWindow(startOffset);
  const queues = new Map<string, KeyQueue>();
  const losing = new AbortController();
  setMaxListeners(0, losing.signal); // every handler in hand may listen
  let unfinished = 0;
  let chars = 0;
  let wasFull = false;
  let isEnding = false;
  let ended: (() => void) | undefined;

  const isFull = (): boolean => unfinished >= unfinishedMax || chars >= unfinishedCharsMax;
  const end = (): void => {
    isEnding = true;
    for (const queue of queues.values()) queue.waiting.length = 0;
    queues.clear();
  };

  const state: PartitionState = {
    inHand: 0,
    get isEnding() {
      return isEnding;
    },
    lost: losing.signal,
    queueOf: (key) => {
      const known = queues.get(key);
      if (known !== undefined) return known;
      const queue: KeyQueue = { partition: state, key, waiting: [], running: 0, isReady: false };
      queues.set(key, queue);
      return queue;
    },
    forget: ({ key, running, waiting }) => {
      if (running === 0 && waiting.length === 0) queues.delete(key);
    },
    finish: ({ message, chars: length }) => {
      window.finish(message.offset);
      unfinished -= 1;
      chars -= length;
      if (!wasFull || isFull()) return false;
      wasFull = false;
      return true;
    },
    letGo: () => {
      state.inHand -= 1;
      if (state.inHand === 0) ended?.();
    },
  };

  return {
    add: (message) => {
      if (isEnding) throw new Error(`Partition ${message.partition} of ${message.topic} was given up.`);
      const length = message.key.length + message.value.length;
      window.add(message.offset);
      unfinished += 1;
      chars += length;
      const queue = state.queueOf(message.key);
      queue.waiting.push({ message, chars: length, attempts: 0 });
      onWaiting(queue);
    },
    hasRoom: () => {
      wasFull = isFull();
      return !wasFull;
    },
    next: window.next,
    giveUp: async () => {
      end();
      if (state.inHand === 0) return;
      await new Promise<void>((resolve) => {
        ended = resolve;
      });
    },
    lose: () => {
      end();
      losing.abort();
    },
  };
}
