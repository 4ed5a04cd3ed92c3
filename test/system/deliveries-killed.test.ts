import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryState } from '../../src/delivery/delivery-state.ts';
import { behaviourOf } from '../spec/deliveries/behaviour.ts';
import { type MortalBroker, setDeliveriesStage } from '../spec/deliveries/deliveries-stage.ts';
import { type DeliveriesStory, isMainPath, playDeliveries } from '../spec/deliveries/deliveries-story.ts';
import type { Subscribed } from '../spec/deliveries/publisher.ts';
import type { ReceivedRequest } from '../spec/webhook-receiver.ts';
import { hasNativeKafka, startNativeKafka } from '../spec/servers/native-kafka.ts';
import { createTempFolder } from '../spec/temp-folder.ts';

const seed = Number(process.env['SEED'] ?? 1);

interface OwnBroker extends MortalBroker {
  readonly wipe: () => Promise<void>;
}

const groupBy = <T>(list: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
};

const hasBothSignatures = ({ headers, body, eventId }: ReceivedRequest, { key }: Subscribed): boolean => {
  const time = String(headers['webhook-timestamp']);
  const sign = (text: string) => createHmac('sha256', key).update(text);
  return (
    headers['x-service-event-id'] === eventId &&
    headers['x-service-timestamp'] === time &&
    headers['webhook-signature'] === `v1,${sign(`${eventId}.${time}.${body}`).digest('base64')}` &&
    headers['x-service-signature'] === `sha256=${sign(`${time}.${body}`).digest('hex')}`
  );
};

/** The story is played once; each guarantee is then looked for in what it has left. */
function survives(startBroker: () => Promise<OwnBroker | null>): void {
  const closers: (() => Promise<void> | void)[] = [];
  let story: DeliveriesStory;
  /** What the story says, found by what one looks for. */
  let subscriptions: Map<string, Subscribed>;
  let versionOf: Map<string, string>;
  let eventIdOf: Map<string, string>;

  beforeAll(async () => {
    const folder = createTempFolder();
    closers.unshift(folder.remove);
    const broker = await startBroker();
    if (broker !== null) closers.unshift(broker.wipe);
    const stage = await setDeliveriesStage(folder.path, broker);
    closers.unshift(stage.back.kill, stage.front.kill);
    story = await playDeliveries(stage, seed);
    const { main, inBetween, evidence } = story;
    const all = [main, ...inBetween.map(({ publisher }) => publisher)].flatMap((each) => each.subscriptions);
    subscriptions = new Map(all.map((subscription) => [subscription.id, subscription]));
    versionOf = new Map(evidence.announcements.map(({ eventId, release }) => [eventId, String(release.version)]));
    eventIdOf = new Map(evidence.announcements.map(({ eventId, release }) => [release.id, eventId]));
  }, 420_000);

  afterAll(async () => {
    for (const close of closers) await close();
  });

  const pairOf = (eventId: string, webhookId: string) => `${eventId} ${webhookId}`;
  const pairOfState = ({ eventId, webhookId }: DeliveryState) => pairOf(eventId, webhookId);
  const pairsOf = (releaseIds: readonly string[], to: readonly Subscribed[]) =>
    releaseIds.flatMap((releaseId) => to.map(({ id }) => pairOf(String(eventIdOf.get(releaseId)), id)));
  const idOfPath = (path: string) => [...subscriptions.values()].find((each) => each.path === path)?.id ?? path;
  const requestsByPair = () => groupBy(story.received, ({ eventId, path }) => pairOf(eventId, idOfPath(path)));
  const rowsByPair = () => groupBy(story.evidence.rows, ({ eventId, webhookId }) => pairOf(eventId, webhookId));
  const behaviourFor = ({ webhookId, eventId }: DeliveryState) => {
    const { path } = subscriptions.get(webhookId)!;
    return isMainPath(path) ? behaviourOf(seed, path, versionOf.get(eventId)!).kind : 'accepts';
  };

  it('brings each of 2,000 deliveries to one end, and no other', () => {
    const { main, inBetween, evidence } = story;
    const mainPairs = pairsOf(main.releaseIds, main.subscriptions);
    expect(new Set(mainPairs).size).toBe(2_000);
    const others = inBetween.flatMap(({ publisher, due }) => pairsOf(due, publisher.subscriptions));
    expect(evidence.states.map(pairOfState).sort()).toEqual([...mainPairs, ...others].sort());
    expect(evidence.states.filter(({ phase, run }) => phase !== 'final' || run !== 1)).toEqual([]);
  });

  it('announces every acknowledged release once', () => {
    const { main, inBetween, evidence } = story;
    const released = [main, ...inBetween.map(({ publisher }) => publisher)].flatMap((each) => each.releaseIds);
    expect(evidence.announcements.map(({ release }) => release.id).sort()).toEqual(released.sort());
  });

  it('ends each as its receiver would have it', () => {
    const { weak, downtime, evidence } = story;
    const outcomes = { accepts: 'success', slow: 'success', recovers: 'success', fails: 'dlq', refuses: 'perm_fail' };
    const rows = rowsByPair();
    const wasDownForAll = (state: DeliveryState): boolean => {
      const attempts = rows.get(pairOfState(state)) ?? [];
      return attempts.every(
        ({ errorCode, atMs, latencyMs }) =>
          errorCode === 'network' && atMs + latencyMs >= downtime.fromMs && atMs <= downtime.toMs,
      );
    };
    const isWrong = (state: DeliveryState): boolean => {
      if (state.outcome === outcomes[behaviourFor(state)]) return false;
      return !(state.webhookId === weak.id && state.outcome === 'dlq' && wasDownForAll(state));
    };
    expect(evidence.states.filter(isWrong)).toEqual([]);
    const kinds = groupBy(evidence.states, behaviourFor);
    expect([...kinds.keys()].sort()).toEqual(Object.keys(outcomes).sort()); // each was met
  });

  it('calls nothing a success that no receiver has accepted', () => {
    const requests = requestsByPair();
    const succeeded = [
      ...story.evidence.states.filter(({ outcome }) => outcome === 'success').map(pairOfState),
      ...story.evidence.rows
        .filter(({ outcome }) => outcome === 'success')
        .map(({ eventId, webhookId }) => pairOf(eventId, webhookId)),
    ];
    expect(succeeded.filter((pair) => !requests.get(pair)?.some(({ isAccepted }) => isAccepted))).toEqual([]);
  });

  it('logs every attempt of a delivery, three of those that never succeed', () => {
    const { evidence } = story;
    const rows = rowsByPair();
    const requests = requestsByPair();
    expect([...rows.keys()].sort()).toEqual(evidence.states.map(pairOfState).sort());
    for (const state of evidence.states) {
      const pair = pairOfState(state);
      const logged = rows.get(pair)!.toSorted((a, b) => a.attempt - b.attempt);
      const numbers = Array.from({ length: state.attempt }, (_, index) => index + 1);
      // A member that stalls over its lease is taken over, and both tell of the attempt they made.
      expect([...new Set(logged.map(({ attempt }) => attempt))], pair).toEqual(numbers);
      const last = logged.filter(({ attempt }) => attempt === state.attempt);
      expect(
        last.map(({ outcome }) => outcome),
        pair,
      ).toContain(state.outcome);
      const answered = logged.filter(({ httpStatus }) => httpStatus !== 0);
      expect(requests.get(pair)?.length ?? 0, pair).toBeGreaterThanOrEqual(answered.length);
      if (state.outcome === 'dlq') expect(numbers, pair).toEqual([1, 2, 3]);
    }
  });

  it('sends an event with one id and the same bytes, however often and to whomever', () => {
    const ofRelease = groupBy(story.received, ({ body }) => JSON.parse(body).release.id as string);
    for (const [releaseId, requests] of ofRelease) {
      expect([...new Set(requests.map(({ eventId }) => eventId))], releaseId).toEqual([eventIdOf.get(releaseId)]);
      expect(new Set(requests.map(({ body }) => body)).size, releaseId).toBe(1);
      expect(JSON.parse(requests[0]!.body).id, releaseId).toBe(eventIdOf.get(releaseId));
    }
  });

  it('signs every request with the key of its subscription, in both ways', () => {
    const isForged = (request: ReceivedRequest) =>
      !hasBothSignatures(request, subscriptions.get(idOfPath(request.path))!);
    expect(story.received.filter(isForged)).toEqual([]);
  });

  it('keeps every delivery that was given up among the dead letters, and nothing else', () => {
    const { states, deadLetters } = story.evidence;
    const given = states.filter(({ outcome }) => outcome === 'dlq').map(pairOfState);
    const told = deadLetters.map((text) => {
      const { eventId, subscriptionId } = JSON.parse(text) as { eventId: string; subscriptionId: string };
      return pairOf(eventId, subscriptionId);
    });
    expect([...new Set(told)].sort()).toEqual(given.sort());
  });

  it('sends a subscription what came after it, and nothing of before', () => {
    const requests = [...requestsByPair().keys()];
    for (const { publisher, due } of story.inBetween) {
      const [subscription] = publisher.subscriptions;
      const arrived = requests.filter((pair) => pair.endsWith(` ${subscription!.id}`));
      expect(arrived.sort(), subscription!.path).toEqual(pairsOf(due, [subscription!]).sort());
    }
  });
}

describe('deliveries while processes die, on the embedded bus', () => survives(async () => null));

describe.skipIf(!hasNativeKafka())('deliveries while processes and the broker die, on Kafka', () =>
  survives(startNativeKafka),
);
