import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signedHeaders } from '../../src/delivery/sign.ts';
import { spellSigningKey } from '../../src/delivery/signing-key.ts';

// The test vector of contract 13.3, literally.
const key = Uint8Array.from({ length: 32 }, (_, index) => index);
const oldKey = Uint8Array.from({ length: 32 }, (_, index) => 255 - index);
const eventId = 'evt_4Zk8QnT2vXb7LmR1cYw9d';
const timestamp = 1767323045;
const body =
  '{"id":"evt_4Zk8QnT2vXb7LmR1cYw9d","type":"release.created","seq":42,"ts":1767323040123,"release":{"id":"rel_7hG3kP0sWq2ZtB5nXv8Lm","title":"Demo 1.2.0","version":"1.2.0"}}';
const newSignature = 'v1,78IfPvdVNdrVWmfYZidf+MOw6KCKlKalv4k2N3c3TU8=';

describe('a signing key', () => {
  it('is spelled in hex and as a secret of Standard Webhooks', () => {
    expect(spellSigningKey(key)).toEqual({
      signingKey: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
      signingSecret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
    });
    expect(spellSigningKey(oldKey).signingSecret).toBe('whsec_//79/Pv6+fj39vX08/Lx8O/u7ezr6uno5+bl5OPi4eA=');
  });

  it('has 32 bytes', () => {
    expect(() => spellSigningKey(key.subarray(1))).toThrow('32 bytes');
  });
});

describe('the headers of an attempt', () => {
  it('are those of the test vector', () => {
    expect(Buffer.byteLength(body)).toBe(171);
    expect(signedHeaders({ key, eventId, timestamp, body })).toEqual({
      'webhook-id': eventId,
      'X-Service-Event-Id': eventId,
      'webhook-timestamp': '1767323045',
      'X-Service-Timestamp': '1767323045',
      'webhook-signature': newSignature,
      'X-Service-Signature': 'sha256=07d14493621f503d24eb62507c352ef519d6019614b903f0fff7a3048f00cf24',
      'X-Service-Version': '1',
      'Content-Type': 'application/json',
      'User-Agent': 'release-registry-webhooks/1',
    });
  });

  it('sign the UTF-8 bytes of the body', () => {
    const text = '{"title":"Grüße – 🚀"}';
    const bytes = Buffer.concat([Buffer.from(`${timestamp}.`), Buffer.from(text, 'utf8')]);
    expect(signedHeaders({ key, eventId, timestamp, body: text })['X-Service-Signature']).toBe(
      `sha256=${createHmac('sha256', key).update(bytes).digest('hex')}`,
    );
  });
});
