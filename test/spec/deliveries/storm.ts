import { eventually } from '../eventually.ts';
import { isReady } from '../killed/served-process.ts';
import type { Seeded } from '../seeded.ts';
import type { DeliveriesStage } from './deliveries-stage.ts';
import type { ReceivedRequest } from '../webhook-receiver.ts';

export interface StormOptions {
  readonly stage: DeliveriesStage;
  /** Grows with every request. */
  readonly received: readonly ReceivedRequest[];
  readonly random: Seeded;
  /** Sends so many batches, one after the other. */
  readonly ingest: (batches: number) => Promise<void>;
  /** Called while everything runs; when it resolves, those who deliver are killed at once. */
  readonly beforeLastBlow: () => Promise<void>;
}

/** Longer than a dead member of a group keeps the others waiting. */
const patience = { withinMs: 120_000, everyMs: 1 };

/**
 * Kills whoever takes part, at moments that only the seed knows, while releases are sent. Those who follow a dead
 * process wait for its leases, so several deaths fall into one such wait.
 */
export async function storm(options: StormOptions): Promise<void> {
  const { stage, received, random, ingest, beforeLastBlow } = options;
  const { front, back, broker } = stage;
  let sending: Promise<void> = Promise.resolve();
  const send = (batches: number): void => {
    sending = sending.then(() => ingest(batches));
    sending.catch(() => undefined); // awaited at the end
  };
  const moreRequests = async (min: number, max: number): Promise<void> => {
    const wanted = received.length + random.int(min, max);
    await eventually(`${wanted} requests in all`, () => received.length >= wanted, patience);
  };

  send(8);
  await moreRequests(30, 400);
  await back.kill();
  send(4);
  await back.start();
  await back.kill();
  await broker?.kill();
  await Promise.all([back.start(), broker?.start()]);

  await moreRequests(30, 300);
  if (broker !== null) {
    await broker.kill();
    await eventually('the absence is noticed', async () => !(await isReady(back.url)), patience);
    await broker.start();
    await moreRequests(1, 100);
  }
  send(4);
  await moreRequests(30, 200);
  await beforeLastBlow();
  await Promise.all([back.kill(), front.kill()]);
  send(4);
  await front.start();
  await back.start();
  await back.kill();
  await back.start();
  await sending;
}
