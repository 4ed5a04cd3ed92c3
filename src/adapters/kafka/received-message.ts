import type { KafkaMessage } from 'kafkajs';
import type { UntriedMessage } from '../dispatch/dispatched-partition.ts';

type HeaderValue = Buffer | string | (Buffer | string)[] | undefined;

const textOf = (value: HeaderValue): string => (Array.isArray(value) ? textOf(value.at(-1)) : String(value ?? ''));

/** Other programs may leave out keys and values, or give a header twice: the last one counts. */
export function receivedMessage(topic: string, partition: number, message: KafkaMessage): UntriedMessage {
  const headers: Record<string, string> = {};
  for (const name in message.headers) headers[name] = textOf(message.headers[name]);
  return {
    topic,
    partition,
    offset: Number(message.offset),
    producedAtMs: Number(message.timestamp),
    key: message.key?.toString() ?? '',
    value: message.value?.toString() ?? '',
    headers,
  };
}
