import { createHmac } from 'node:crypto';

export interface AttemptToSign {
  readonly key: Uint8Array;
  readonly eventId: string;
  /** Unix seconds of this attempt. */
  readonly timestamp: number;
  readonly body: string;
}

const hmac = (key: Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** All headers of one attempt for a json webhook (contract 13.3). */
export const signedHeaders = ({ key, eventId, timestamp, body }: AttemptToSign): Record<string, string> => {
  const standard = `v1,${hmac(key, `${eventId}.${timestamp}.${body}`).toString('base64')}`;
  return {
    'webhook-id': eventId,
    'X-Service-Event-Id': eventId,
    'webhook-timestamp': String(timestamp),
    'X-Service-Timestamp': String(timestamp),
    'webhook-signature': standard,
    'X-Service-Signature': `sha256=${hmac(key, `${timestamp}.${body}`).toString('hex')}`,
    'X-Service-Version': '1',
    'Content-Type': 'application/json',
    'User-Agent': 'release-registry-webhooks/1',
  };
};
