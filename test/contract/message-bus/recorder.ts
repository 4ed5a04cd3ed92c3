import { randomUUID } from 'node:crypto';
import type {
  BusMessage,
  Consumer,
  ConsumeOptions,
  MessageBus,
  ReceivedMessage,
  TopicDeclaration,
} from '../../../src/ports/message-bus.ts';
import { eventually, type Patience } from '../../spec/eventually.ts';

/** A group may need some seconds to agree on who consumes what. */
const patient: Patience = { withinMs: 50_000, everyMs: 10 };

export const soon = (what: string, condition: () => boolean | Promise<boolean>): Promise<void> =>
  eventually(what, condition, patient);

export const newName = (what: string): string => `${what}.${randomUUID()}`;

export const declared = (fields: Partial<TopicDeclaration> = {}): TopicDeclaration => ({
  name: newName('topic'),
  partitions: 4,
  retentionMs: 3_600_000,
  ...fields,
});

/** What every consumer of a test needs, with names of its own. */
export interface BusNames {
  readonly topic: string;
  readonly group: string;
  readonly deadLetterTopic: string;
}

export async function makeNames(bus: MessageBus, fields: Partial<TopicDeclaration> = {}): Promise<BusNames> {
  const topic = declared(fields);
  const deadLetters = declared({ name: newName('dead'), partitions: 1 });
  await bus.ensureTopics([topic, deadLetters]);
  return { topic: topic.name, group: newName('group'), deadLetterTopic: deadLetters.name };
}

export interface Recorder {
  readonly consumer: Consumer;
  /** Each time the handler was called, in that order. */
  readonly begun: ReceivedMessage[];
  /** Each time it resolved. */
  readonly finished: ReceivedMessage[];
  /** The most handlers that ran at once, of all keys and of one. */
  readonly atOnceMax: () => number;
  readonly perKeyMax: () => number;
}

export interface RecorderOptions extends Partial<ConsumeOptions> {
  /** Also counts into these, for members that share the work. */
  readonly into?: Pick<Recorder, 'begun' | 'finished'>;
}

/** Consumes with a handler that keeps what it was given. */
export function startRecorder(bus: MessageBus, names: BusNames, options: RecorderOptions = {}): Recorder {
  const { handle = async () => {}, into, ...rest } = options;
  const begun: ReceivedMessage[] = [];
  const finished: ReceivedMessage[] = [];
  const running: string[] = [];
  let atOnceMax = 0;
  let perKeyMax = 0;
  const consumer = bus.consume({
    group: names.group,
    topics: [names.topic],
    deadLetterTopic: names.deadLetterTopic,
    concurrency: 8,
    ...rest,
    handle: async (message, lost) => {
      begun.push(message);
      into?.begun.push(message);
      running.push(message.key);
      atOnceMax = Math.max(atOnceMax, running.length);
      perKeyMax = Math.max(perKeyMax, running.filter((key) => key === message.key).length);
      try {
        await handle(message, lost);
      } finally {
        running.splice(running.indexOf(message.key), 1);
      }
      finished.push(message);
      into?.finished.push(message);
    },
  });
  return { consumer, begun, finished, atOnceMax: () => atOnceMax, perKeyMax: () => perKeyMax };
}

export const valuesOf = (messages: readonly { readonly value: string }[]): string[] =>
  messages.map(({ value }) => value);

/** The values of each key in the order in which they first came. */
export function firstsByKey(messages: readonly BusMessage[]): Record<string, string[]> {
  const byKey: Record<string, Set<string>> = {};
  for (const { key, value } of messages) (byKey[key] ??= new Set()).add(value);
  return Object.fromEntries(Object.entries(byKey).map(([key, values]) => [key, [...values]]));
}

/** `count` messages that take turns among the keys. */
export const numbered = (count: number, keys: number, prefix = 'm'): BusMessage[] =>
  Array.from({ length: count }, (_, number) => ({ key: `key-${number % keys}`, value: `${prefix}-${number}` }));

export const waitingIn = async (bus: MessageBus, { group, topic }: BusNames): Promise<number> =>
  (await bus.progress(group, [topic])).reduce((sum, { waiting }) => sum + waiting, 0);

export interface Gate {
  readonly passed: Promise<void>;
  readonly open: () => void;
  readonly refuse: (error: Error) => void;
}

/** Something a handler waits for until the test lets it go. */
export function createGate(): Gate {
  let open = (): void => {};
  let refuse = (_: Error): void => {};
  const passed = new Promise<void>((resolve, reject) => {
    open = resolve;
    refuse = reject;
  });
  passed.catch(() => undefined); // it is the handlers who fail by it
  return { passed, open, refuse };
}
