import { createSeeded } from '../seeded.ts';
import { type ReceivedRequest, startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.ts';
import { answerByBehaviour } from './answer-by-behaviour.ts';
import { behaviourOf } from './behaviour.ts';
import type { DeliveriesStage } from './deliveries-stage.ts';
import { type Evidence, gatherEvidence } from './evidence.ts';
import { type Downtime, letReceiverBeDown } from './outage-of-receiver.ts';
import { createPublisher, type Publisher, type Subscribed } from './publisher.ts';
import { storm } from './storm.ts';
import { type InBetween, subscribeInBetween } from './subscribed-in-between.ts';

/** What was sent, what arrived, and what the service has kept of it. */
export interface DeliveriesStory {
  /** The org that most of it is about; the others are those of `inBetween`. */
  readonly main: Publisher;
  /** Of the receiver that was down for a while and takes everything otherwise. */
  readonly weak: Subscribed;
  readonly downtime: Downtime;
  readonly inBetween: readonly InBetween[];
  readonly received: readonly ReceivedRequest[];
  readonly evidence: Evidence;
}

const subscriptionCount = 20;
/** Of releases; the storm sends them all. */
const batchSize = 5;

export const isMainPath = (path: string): boolean => path.startsWith('/main-');

/** Plays it through, on a stage where nothing runs yet; nothing runs afterwards. */
export async function playDeliveries(stage: DeliveriesStage, seed: number): Promise<DeliveriesStory> {
  const { front, back, client } = stage;
  const received: ReceivedRequest[] = [];
  const receivers: WebhookReceiver[] = [];
  const receive = async (...how: Parameters<typeof answerByBehaviour>): Promise<WebhookReceiver> => {
    const receiver = await startWebhookReceiver(answerByBehaviour(...how), received);
    receivers.push(receiver);
    return receiver;
  };
  try {
    const steady = await receive((path, version) =>
      isMainPath(path) ? behaviourOf(seed, path, version) : { kind: 'accepts' },
    );
    const closing = await receive(() => ({ kind: 'accepts' }));
    await front.start();
    await back.start();
    const main = await createPublisher(client, 'main');
    for (let number = 1; number < subscriptionCount; number += 1) await main.subscribe(steady.url(`/main-${number}`));
    const weak = await main.subscribe(closing.url('/weak'));

    await back.stop();
    const inBetween = await subscribeInBetween(client, 'stopped', steady.url);
    await back.start();

    const [downtime] = await Promise.all([
      letReceiverBeDown(closing, client, weak.id),
      storm({
        stage,
        received,
        random: createSeeded(seed),
        ingest: async (batches) => {
          for (let batch = 0; batch < batches; batch += 1) await main.release(batchSize);
        },
        beforeLastBlow: async () => void inBetween.push(...(await subscribeInBetween(client, 'killed', steady.url))),
      }),
    ]);
    const pairs = main.releaseIds.length * main.subscriptions.length + inBetween.flatMap(({ due }) => due).length;
    return { main, weak, downtime, inBetween, received, evidence: await gatherEvidence(stage, pairs) };
  } finally {
    for (const { close } of receivers) await close();
  }
}
