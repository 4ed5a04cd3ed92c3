import type { BusMessage, ReceivedMessage } from '../../ports/message-bus.ts';

const errorCharsMax = 100;

/** The kind of an error and not its text: that may quote addresses, bodies or keys. */
function errorKind(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  const words = [error.name, ...(typeof code === 'string' ? [code] : [])];
  const plain = words.filter((word) => /^[A-Za-z][\w.-]*$/.test(word)).join(' ');
  return (plain || 'Error').slice(0, errorCharsMax);
}

/** The message as it came, with headers that say where from and what its handler failed with last. */
export const deadLetterOf = (message: ReceivedMessage, error: unknown): BusMessage => ({
  key: message.key,
  value: message.value,
  headers: {
    ...message.headers,
    'x-origin-topic': message.topic,
    'x-origin-partition': String(message.partition),
    'x-origin-offset': String(message.offset),
    'x-error': errorKind(error),
  },
});
