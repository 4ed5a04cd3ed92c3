import { z } from 'zod';
import { eventId, releaseId, webhookId } from '../kernel/ids.ts';
import { issuePath } from '../kernel/parse-input.ts';

/** What the webhook topics carry: which attempt of which delivery is to be made, and no payload. */
export interface DeliveryMessage {
  readonly eventId: string;
  readonly webhookId: string;
  /** Of the release that is announced: its stream holds the payload. */
  readonly releaseId: string;
  /** 1 for the delivery that the event caused; one more with each resend. */
  readonly run: number;
  /** From 1 within a run. */
  readonly attempt: number;
  /** Milliseconds since the epoch; the attempt is not made earlier. */
  readonly notBefore: number;
}

export type ParsedMessage =
  | { readonly kind: 'message'; readonly message: DeliveryMessage }
  | { readonly kind: 'unparseable'; readonly reason: string };

// On the topics a webhook is called subscription. Fields that a newer process may add are passed over, so that two versions can share the topics for a while.
const schema = z.object({
  eventId,
  subscriptionId: webhookId,
  releaseId,
  run: z.int().min(1),
  attempt: z.int().min(1),
  notBefore: z.int().min(0),
});

const unparseable = (reason: string): ParsedMessage => ({ kind: 'unparseable', reason });

const jsonOf = (text: string): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null; // told as unparseable
  }
};

export const parseDeliveryMessage = (text: string): ParsedMessage => {
  const json = jsonOf(text);
  if (json === null) return unparseable('not JSON');
  const { data, error } = schema.safeParse(json.value);
  if (error === undefined) {
    const { subscriptionId, ...rest } = data;
    return { kind: 'message', message: { ...rest, webhookId: subscriptionId } };
  }
  return unparseable(
    error.issues.map(({ path, message }) => `${issuePath(path)}: ${message}`.slice(0, 200)).join('; '),
  );
};

export const renderDeliveryMessage = (message: DeliveryMessage): string => {
  const { eventId, webhookId, releaseId, run, attempt, notBefore } = message;
  return JSON.stringify({ eventId, subscriptionId: webhookId, releaseId, run, attempt, notBefore });
};
