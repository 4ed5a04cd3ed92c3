import { createHmac } from 'node:crypto';

export interface AttemptToSign {
  readonly key: Uint8Array;
  /** The key before the last rotation, for as long as it holds. */
  readonly previousKey?: Uint8Array;
  readonly eventId: string;
  /** Unix seconds of this attempt. */
  readonly timestamp: number;
  readonly body: string;
}

const hmac = (key: Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** All headers of one attempt for a json webhook (contract 13.3). */
export const signedHeaders = ({
  key,
  previousKey,
  eventId,
  timestamp,
  body,
}: AttemptToSign): Record<string, string> => {
  const keys = previousKey === undefined ? [key] : [key, previousKey];
  const standard = keys.map((each) => `v1,${hmac(each, `${eventId}.${timestamp}.${body}`).toString('base64')}`);
  return {
    'webhook-id': eventId,
    'X-Service-Event-Id': eventId,
    'webhook-timestamp': String(timestamp),
    'X-Service-Timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
    // It has room for one signature, so a rotation moves it to the new key at once.
    'X-Service-Signature': `sha256=${hmac(key, `${timestamp}.${body}`).toString('hex')}`,
    'X-Service-Version': '1',
    'Content-Type': 'application/json',
    'User-Agent': 'release-registry-webhooks/1',
  };
};
