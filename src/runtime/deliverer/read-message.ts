import { type DeliveryMessage, parseDeliveryMessage } from '../../delivery/message.ts';

/** Throws for a text that is no message: the bus keeps it as it came among the dead letters. */
export function readMessage({ topic, value }: { readonly topic: string; readonly value: string }): DeliveryMessage {
  const parsed = parseDeliveryMessage(value);
  if (parsed.kind === 'unparseable') throw new Error(`a message of ${topic} cannot be read: ${parsed.reason}`);
  return parsed.message;
}
