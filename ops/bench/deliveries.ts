import { setTimeout as sleep } from 'node:timers/promises';
import { inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import type { Figure } from './bench-report.ts';
import { type DeliveryMix, deliveryMixes } from './worlds/delivery-mixes.ts';
import { percentile } from './worlds/percentile.ts';
import { type Arrival, type Receivers, withReceivers } from './worlds/receivers.ts';
import { benchNowMs, benchRangeMs, type Chance, createChance, releaseItem } from './worlds/seeded-data.ts';
import { buildRegistry, post, type ServedRegistry, withServed } from './worlds/served-registry.ts';

const subscriptions = 100;
const answerAfterMs = 100;
/** 20,000 deliveries. */
const releasesAtOnce = 200;
const releasesOneByOne = 100;
/** Until the code is warm and every connection is open. */
const warmUpReleases = 10;
/** The middle of the deliveries, in the order of their answers: before it begins and after it not all hands are full. */
const steadyFrom = 0.1;
const steadyTo = 0.9;
const arriveSecondsMax = 180;
const pollMs = 20;
/** So that releases do not come at the same beat as anything that looks at intervals. */
const pauseMsMax = 60;

/** An org whose releases go to some of the receivers. */
interface Audience {
  readonly sourceId: string;
  readonly receivers: number;
}

const targets = { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'on' };

async function createAudience(served: ServedRegistry, name: string, urls: readonly string[]): Promise<Audience> {
  const { id: orgId } = await post(served, '/v1/orgs', { name });
  const { id } = await post(served, '/v1/sources', { orgId, name, url: `https://example.com/${name}` });
  for (const url of urls) await post(served, '/v1/webhooks', { url, orgId });
  return { sourceId: String(id), receivers: urls.length };
}

/** Batches of releases that come once each. */
function createPublisher(served: ServedRegistry, chance: Chance) {
  const shape = { bodyChars: 300, fromMs: benchNowMs - benchRangeMs, toMs: benchNowMs };
  let number = 0;
  return async ({ sourceId }: Audience, count: number): Promise<void> => {
    const releases = Array.from({ length: count }, () => releaseItem(chance, number++, shape));
    const { inserted } = await post(served, `/v1/sources/${sourceId}/releases/batch`, { releases });
    if (inserted !== count) throw new Error(`${inserted} of ${count} releases were inserted`);
  };
}

type Publish = ReturnType<typeof createPublisher>;

async function untilAnswered(receivers: Receivers, count: number): Promise<void> {
  const startedMs = performance.now();
  for (let answered = 0; answered < count; answered = await receivers.answered()) {
    if (secondsSince(startedMs) > arriveSecondsMax) {
      throw new Error(`${answered} of ${count} deliveries arrived in ${arriveSecondsMax} s`);
    }
    await sleep(pollMs);
  }
}

/** Publishes, and answers what arrived of it: every delivery, each once. */
async function deliver(receivers: Receivers, publish: Publish, audience: Audience, releases: number) {
  await receivers.clear();
  await publish(audience, releases);
  await untilAnswered(receivers, releases * audience.receivers);
  const arrivals = await receivers.arrivals();
  const different = new Set(arrivals.map(({ receiver, eventId }) => `${receiver} ${eventId}`)).size;
  if (different !== arrivals.length) throw new Error(`${arrivals.length - different} deliveries were made twice`);
  return arrivals;
}

function steadyPerSecond(arrivals: readonly Arrival[]): number {
  const answeredMs = arrivals.map((arrival) => arrival.answeredMs).sort((a, b) => a - b);
  const [from, to] = [Math.floor(answeredMs.length * steadyFrom), Math.floor(answeredMs.length * steadyTo)];
  return ((to - from) * 1_000) / (answeredMs[to]! - answeredMs[from]!);
}

async function oneByOne(receivers: Receivers, publish: Publish, audience: Audience, chance: Chance): Promise<number[]> {
  const took: number[] = [];
  for (let release = 0; release < releasesOneByOne; release += 1) {
    const arrivals = await deliver(receivers, publish, audience, 1);
    took.push(...arrivals.map(({ arrivedMs, recordedMs }) => arrivedMs - recordedMs));
    await sleep(chance.int(0, pauseMsMax));
  }
  return took.sort((a, b) => a - b);
}

const latencyFigures = (what: string, took: readonly number[]): Figure[] => [
  { metric: `${what}, p50`, value: percentile(took, 0.5), unit: 'ms', atMost: 150 },
  { metric: `${what}, p95`, value: percentile(took, 0.95), unit: 'ms' },
  { metric: `${what}, p99`, value: percentile(took, 0.99), unit: 'ms' },
];

async function figuresOf(mix: DeliveryMix, served: ServedRegistry, receivers: Receivers): Promise<Figure[]> {
  const chance = createChance(1);
  const publish = createPublisher(served, chance);
  const one = await createAudience(served, 'one', receivers.urls.slice(0, 1));
  const many = await createAudience(served, 'many', receivers.urls);
  await deliver(receivers, publish, many, warmUpReleases);
  const perSecond = steadyPerSecond(await deliver(receivers, publish, many, releasesAtOnce));
  const toOne = await oneByOne(receivers, publish, one, chance);
  const toMany = await oneByOne(receivers, publish, many, chance);
  const who = `${subscriptions} subscriptions of receivers that take ${answerAfterMs} ms`;
  return [
    {
      metric: `${mix.name}: deliveries, ${who}`,
      value: perSecond,
      unit: 'deliveries/s',
      atLeast: mix.deliveriesPerSecondMin,
    },
    ...latencyFigures(`${mix.name}: appended to first attempt, 1 subscription`, toOne),
    ...latencyFigures(`${mix.name}: appended to first attempt, ${subscriptions} subscriptions`, toMany),
  ];
}

const measure = (mix: DeliveryMix): Promise<Figure[]> =>
  inBenchFolder((dataDir) =>
    mix.use((settings) =>
      withReceivers({ count: subscriptions, answerAfterMs }, (receivers) =>
        withServed(dataDir, (served) => figuresOf(mix, served, receivers), { ...targets, ...settings }),
      ),
    ),
  );

/** Webhooks from the append of a release to the receivers, through the service as users start it. */
export async function runDeliveries(): Promise<Figure[]> {
  await inBenchFolder(buildRegistry);
  const figures: Figure[] = [];
  for (const mix of deliveryMixes()) figures.push(...(await measure(mix)));
  return figures;
}
