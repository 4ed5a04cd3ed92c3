import type { BusMessage } from '../../ports/message-bus.ts';

/** Below what Kafka takes by default (1,048,588 with its own frame), so that no back end takes what another refuses. */
export const messageBytesMax = 1_000_000;

export const messageBytes = ({ key, value, headers }: BusMessage): number => {
  let bytes = Buffer.byteLength(key) + Buffer.byteLength(value);
  for (const name in headers) bytes += Buffer.byteLength(name) + Buffer.byteLength(headers[name]!);
  return bytes;
};

/** The bytes of all together; throws when one is too large, before any of them is sent. */
export function checkedBytes(topic: string, messages: readonly BusMessage[]): number {
  let total = 0;
  for (const message of messages) {
    const bytes = messageBytes(message);
    if (bytes > messageBytesMax) {
      throw new RangeError(`A message of ${bytes} bytes is too large for ${topic}; ${messageBytesMax} is the most.`);
    }
    total += bytes;
  }
  return total;
}
