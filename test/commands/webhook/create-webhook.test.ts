import { describe, expect, test } from 'vitest';
import { createWebhook } from '../../../commands/webhook/create-webhook.ts';
import { given, testNow } from '../../spec/given-when-then.ts';
import {
  acme,
  blog,
  deletedOrg,
  hiddenOrg,
  liveOrg,
  other,
  productAfter,
  productCreated,
  productDeleted,
  sourceAfter,
  sourceCreated,
  sourceDeleted,
  widget,
} from '../../spec/events/entity-events.ts';
import { webhookCreated, webhookInput } from './created.ts';

const facts = {
  org: liveOrg,
  product: productAfter(productCreated()),
  source: sourceAfter(sourceCreated({ productId: widget })),
};

describe('create a webhook', () => {
  test('an address and an org are enough', () => {
    given(createWebhook)
      .when(webhookInput, { facts })
      .then([webhookCreated({ createdAt: testNow })]);
  });

  test('every field is kept', () => {
    const fields = {
      description: 'Tells the chat',
      sourceId: blog,
      productId: widget,
      releaseType: 'rollup',
      minImportance: 4,
      breaking: ['none', 'major'],
      enabled: false,
    } as const;
    given(createWebhook)
      .when({ ...webhookInput, ...fields, breaking: ['major', 'none'], scope: 'org', format: 'json' }, { facts })
      .then([webhookCreated({ ...fields, createdAt: testNow })]);
  });

  test('null leaves a filter open', () => {
    const open = { description: null, releaseType: null, minImportance: null, breaking: null };
    given(createWebhook)
      .when({ ...webhookInput, ...open }, { facts })
      .then([webhookCreated({ createdAt: testNow })]);
  });

  test('its stream and the facts that it asks for', () => {
    const input = { ...webhookInput, sourceId: blog, productId: widget };
    expect(createWebhook.stream(input, (prefix) => `${prefix}_new`)).toBe('webhook-whk_new');
    const asked = createWebhook.facts?.(input, createWebhook.model.initial, {}) ?? {};
    expect(Object.values(asked).map(({ stream }) => stream)).toEqual([
      `org-${acme}`,
      `product-${widget}`,
      `source-${blog}`,
    ]);
    expect(Object.keys(createWebhook.facts?.(webhookInput, createWebhook.model.initial, {}) ?? {})).toEqual(['org']);
  });

  test('an org that is absent or deleted is not found; a hidden one is', () => {
    for (const org of [undefined, deletedOrg]) {
      given(createWebhook)
        .when(webhookInput, { facts: { ...(org && { org }) } })
        .thenFails('not_found', { entity: 'org' });
    }
    given(createWebhook)
      .when(webhookInput, { facts: { org: hiddenOrg } })
      .thenTypes('WebhookCreated.v1');
  });

  test('a source that is absent, deleted or of another org is not found', () => {
    const strangers = [
      sourceAfter(),
      sourceAfter(sourceCreated(), sourceDeleted),
      sourceAfter(sourceCreated({ orgId: other })),
      sourceAfter(sourceCreated({ orgId: null })),
    ];
    for (const source of strangers) {
      given(createWebhook)
        .when({ ...webhookInput, sourceId: blog }, { facts: { org: liveOrg, source } })
        .thenFails('not_found', { entity: 'source' });
    }
  });

  test('a product that is absent, deleted or of another org is not found', () => {
    const strangers = [
      productAfter(),
      productAfter(productCreated(), productDeleted),
      productAfter(productCreated({ orgId: other })),
    ];
    for (const product of strangers) {
      given(createWebhook)
        .when({ ...webhookInput, productId: widget }, { facts: { org: liveOrg, product } })
        .thenFails('not_found', { entity: 'product' });
    }
  });

  test('a source that is not of the product contradicts it', () => {
    given(createWebhook)
      .when(
        { ...webhookInput, sourceId: blog, productId: widget },
        { facts: { ...facts, source: sourceAfter(sourceCreated()) } },
      )
      .thenFails('validation_failed', { issues: [{ path: 'sourceId', message: expect.any(String) }] });
  });
});
