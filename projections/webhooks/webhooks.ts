import type { WebhookCreated, WebhookEvent } from '../../src/domain/webhook/events.ts';
import { defineProjection, makesOne, one } from '../../src/kernel/projection.ts';

/** A webhook that an admin made, until it is deleted. How its deliveries fare lies in the operational store. */
export type WebhookDocument = Readonly<WebhookCreated['data']> & {
  readonly id: string;
  readonly createdMs: number;
  /** Why it is not enabled; null when it is. */
  readonly disabledReason: 'manual' | 'auto' | 'gone' | null;
  readonly updatedAt: string;
};

export const webhooksProjection = defineProjection<WebhookDocument, WebhookEvent>({
  name: 'webhooks',
  generation: 1,
  indexes: { byCreated: ['createdMs'], byOrg: ['orgId', 'createdMs'] },
  on: {
    'WebhookCreated.v1': makesOne(({ data, stream }) => ({
      id: stream.id,
      ...data,
      createdMs: Date.parse(data.createdAt),
      disabledReason: data.enabled ? null : 'manual',
      updatedAt: data.createdAt,
    })),
    'WebhookDisabled.v1': one(
      (webhook, { data: { reason, disabledAt } }) =>
        webhook && { ...webhook, enabled: false, disabledReason: reason, updatedAt: disabledAt },
    ),
    'WebhookDeleted.v1': one((_): WebhookDocument | null => null),
  },
});
