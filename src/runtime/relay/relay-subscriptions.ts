import { matchesOrgSubscription, type OrgSubscription } from '../../delivery/match.ts';
import type { AnnouncedRelease } from '../../domain/release/events.ts';
import type { WebhookEvent } from '../../domain/webhook/events.ts';
import type { RecordedEvent } from '../../kernel/event.ts';

/** Raise it when a fold below changes: the documents are then made anew from the events, and nothing is published. */
export const subscriptionsGeneration = 1;

/** What the relay knows of a subscription as of the event it has come to. */
export interface RelaySubscription extends OrgSubscription {
  /** Of the event that made it: it gets what comes after. */
  readonly position: number;
}

type Fold<E extends WebhookEvent> = (
  subscription: RelaySubscription | null,
  event: RecordedEvent<E>,
) => RelaySubscription | null;

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
  'WebhookDisabled.v1': (subscription) => subscription && { ...subscription, enabled: false },
  'WebhookDeleted.v1': () => null,
};

/** The events that the subscriptions are made of. */
export const subscriptionTypes = Object.keys(folds) as WebhookEvent['type'][];

export const isSubscriptionEvent = (event: RecordedEvent): event is RecordedEvent<WebhookEvent> =>
  Object.hasOwn(folds, event.type);

/** The subscription after an event of its stream; null when there is none any more. */
export const foldSubscription = (
  subscription: RelaySubscription | null,
  event: RecordedEvent<WebhookEvent>,
): RelaySubscription | null => (folds[event.type] as Fold<WebhookEvent>)(subscription, event);

export interface SubscriptionChange {
  readonly id: string;
  /** Null when it is gone. */
  readonly subscription: RelaySubscription | null;
}

/** All subscriptions, in memory: as they are at the place in the log that the relay has come to. */
export interface RelaySubscriptions {
  readonly apply: (event: RecordedEvent<WebhookEvent>) => void;
  /** Those that get the announcement at that position. */
  readonly matching: (release: AnnouncedRelease, position: number) => Iterable<RelaySubscription>;
  /** What has changed since it was asked the last time, each subscription once. */
  readonly takeChanges: () => SubscriptionChange[];
}

export const createRelaySubscriptions = (stored: Iterable<RelaySubscription> = []): RelaySubscriptions => {
  const byId = new Map<string, RelaySubscription>();
  const byOrg = new Map<string, Set<string>>();
  let changed = new Set<string>();

  const forget = ({ id, orgId }: RelaySubscription): void => {
    const ids = byOrg.get(orgId);
    byId.delete(id);
    ids?.delete(id);
    if (ids?.size === 0) byOrg.delete(orgId);
  };
  const keep = (subscription: RelaySubscription): void => {
    const { id, orgId } = subscription;
    const ids = byOrg.get(orgId) ?? new Set();
    byId.set(id, subscription);
    byOrg.set(orgId, ids.add(id));
  };
  for (const subscription of stored) keep(subscription);

  return {
    apply: (event) => {
      const { id } = event.stream;
      const before = byId.get(id) ?? null;
      const after = foldSubscription(before, event);
      if (before !== null) forget(before);
      if (after !== null) keep(after);
      changed.add(id);
    },
    *matching(release, position) {
      for (const id of byOrg.get(release.orgId ?? '') ?? []) {
        const subscription = byId.get(id)!;
        if (subscription.position < position && matchesOrgSubscription(release, subscription)) yield subscription;
      }
    },
    takeChanges: () => {
      const ids = changed;
      changed = new Set();
      return [...ids].map((id) => ({ id, subscription: byId.get(id) ?? null }));
    },
  };
};
