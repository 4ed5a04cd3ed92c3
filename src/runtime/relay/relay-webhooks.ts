import { matchesWebhook, type OrgWebhook } from '../../delivery/match.ts';
import type { AnnouncedRelease } from '../../domain/release/events.ts';
import type { WebhookEvent } from '../../domain/webhook/events.ts';
import type { RecordedEvent } from '../../kernel/event.ts';

/** Raise it when a fold below changes: the documents are then made anew from the events, and nothing is published. */
export const webhooksGeneration = 1;

/** What the relay knows of a webhook as of the event it has come to. */
export interface RelayWebhook extends OrgWebhook {
  /** Of the event that made it: it gets what comes after. */
  readonly position: number;
}

type Fold<E extends WebhookEvent> = (webhook: RelayWebhook | null, event: RecordedEvent<E>) => RelayWebhook | null;

// A table over the union, so that an event nobody thought of here does not compile.
const folds: { readonly [Type in WebhookEvent['type']]: Fold<Extract<WebhookEvent, { type: Type }>> } = {
  'WebhookCreated.v1': (_, { stream, position, data }) => ({
    id: stream.id,
    orgId: data.orgId,
    sourceId: data.sourceId,
    productId: data.productId,
    releaseType: data.releaseType,
    minImportance: data.minImportance,
    breaking: data.breaking,
    enabled: data.enabled,
    position,
  }),
  'WebhookDisabled.v1': (webhook) => webhook && { ...webhook, enabled: false },
  'WebhookDeleted.v1': () => null,
};

/** The events that the webhooks are made of. */
export const webhookTypes = Object.keys(folds) as WebhookEvent['type'][];

export const isWebhookEvent = (event: RecordedEvent): event is RecordedEvent<WebhookEvent> =>
  Object.hasOwn(folds, event.type);

/** The webhook after an event of its stream; null when there is none any more. */
export const foldWebhook = (webhook: RelayWebhook | null, event: RecordedEvent<WebhookEvent>): RelayWebhook | null =>
  (folds[event.type] as Fold<WebhookEvent>)(webhook, event);

export interface WebhookChange {
  readonly id: string;
  /** Null when it is gone. */
  readonly webhook: RelayWebhook | null;
}

/** All webhooks, in memory: as they are at the place in the log that the relay has come to. */
export interface RelayWebhooks {
  readonly apply: (event: RecordedEvent<WebhookEvent>) => void;
  /** Those that get the announcement at that position. */
  readonly matching: (release: AnnouncedRelease, position: number) => Iterable<RelayWebhook>;
  /** What has changed since it was asked the last time, each webhook once. */
  readonly takeChanges: () => WebhookChange[];
}

export const createRelayWebhooks = (stored: Iterable<RelayWebhook> = []): RelayWebhooks => {
  const byId = new Map<string, RelayWebhook>();
  const byOrg = new Map<string, Set<string>>();
  let changed = new Set<string>();

  const forget = ({ id, orgId }: RelayWebhook): void => {
    const ids = byOrg.get(orgId);
    byId.delete(id);
    ids?.delete(id);
    if (ids?.size === 0) byOrg.delete(orgId);
  };
  const keep = (webhook: RelayWebhook): void => {
    const { id, orgId } = webhook;
    const ids = byOrg.get(orgId) ?? new Set();
    byId.set(id, webhook);
    byOrg.set(orgId, ids.add(id));
  };
  for (const webhook of stored) keep(webhook);

  return {
    apply: (event) => {
      const { id } = event.stream;
      const before = byId.get(id) ?? null;
      const after = foldWebhook(before, event);
      if (before !== null) forget(before);
      if (after !== null) keep(after);
      changed.add(id);
    },
    *matching(release, position) {
      for (const id of byOrg.get(release.orgId ?? '') ?? []) {
        const webhook = byId.get(id)!;
        if (webhook.position < position && matchesWebhook(release, webhook)) yield webhook;
      }
    },
    takeChanges: () => {
      const ids = changed;
      changed = new Set();
      return [...ids].map((id) => ({ id, webhook: byId.get(id) ?? null }));
    },
  };
};
