import { describe, expect, it } from 'vitest';
import { parseDeliveryMessage, renderDeliveryMessage } from '../../src/delivery/message.ts';

const message = {
  eventId: 'evt_EEEEEEEEEEEEEEEEEEEEE',
  webhookId: 'whk_WWWWWWWWWWWWWWWWWWWWW',
  releaseId: 'rel_RRRRRRRRRRRRRRRRRRRRR',
  run: 2,
  attempt: 9,
  notBefore: 1_767_323_045_000,
};

const { webhookId: subscriptionId, ...rest } = message;
/** As it lies on the topics, which other versions read too. */
const sent = { ...rest, subscriptionId };

describe('a message of the webhook topics', () => {
  it('is read as it was rendered', () => {
    expect(parseDeliveryMessage(renderDeliveryMessage(message))).toEqual({ kind: 'message', message });
    expect(JSON.parse(renderDeliveryMessage(message))).toEqual(sent);
  });

  it('has the same text whatever order its fields were given in', () => {
    const turned = Object.fromEntries(Object.entries(message).reverse()) as unknown as typeof message;
    expect(renderDeliveryMessage(turned)).toBe(renderDeliveryMessage(message));
  });

  it('may carry fields of a newer version, which are passed over', () => {
    const text = JSON.stringify({ ...sent, priority: 'high' });
    expect(parseDeliveryMessage(text)).toEqual({ kind: 'message', message });
  });
});

describe('a text that is no message', () => {
  it.each([
    ['', /not JSON/],
    ['{"eventId":', /not JSON/],
    ['null', /object/],
    ['[]', /object/],
    [JSON.stringify({ ...sent, eventId: 'rel_EEEEEEEEEEEEEEEEEEEEE' }), /^eventId: /],
    [JSON.stringify({ ...sent, subscriptionId: 'whk_short' }), /^subscriptionId: must be a whk_ id/],
    [JSON.stringify({ ...sent, releaseId: message.eventId }), /^releaseId: must be a rel_ id/],
    [JSON.stringify({ ...sent, releaseId: undefined }), /^releaseId: /],
    [JSON.stringify({ ...sent, run: 0 }), /^run: /],
    [JSON.stringify({ ...sent, attempt: 1.5 }), /^attempt: /],
    [JSON.stringify({ ...sent, notBefore: -1 }), /^notBefore: /],
    [JSON.stringify({ ...sent, notBefore: '2026-01-01' }), /^notBefore: /],
    [JSON.stringify({ ...sent, run: undefined }), /^run: /],
  ])('is told as unparseable: %s', (text, reason) => {
    expect(parseDeliveryMessage(text)).toEqual({ kind: 'unparseable', reason: expect.stringMatching(reason) });
  });
});
