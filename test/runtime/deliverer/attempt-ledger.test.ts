import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { afterAttempt, begin, newDelivery, skipAttempt } from '../../../src/delivery/delivery-state.ts';
import { type AttemptResult, nextStep } from '../../../src/delivery/next-step.ts';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import { derivedId } from '../../../src/kernel/ids.ts';
import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import { createAttemptLedger, type EndedAttempt } from '../../../src/runtime/deliverer/attempt-ledger.ts';
import { deliveryChange } from '../../../src/records/delivery/delivery-documents.ts';
import { attemptRow, skipRow } from '../../../src/runtime/deliverer/log-rows.ts';
import { createWaits } from '../../../src/runtime/deliverer/waits.ts';
import { hurriedClock } from '../../spec/hurried-clock.ts';
import { type DeliveryWorld, openDeliveryWorld } from './delivery-world.ts';

type Transact = OperationalStore['transact'];

let world: DeliveryWorld;
let transactions: number;
beforeEach(async () => {
  world = await openDeliveryWorld();
  transactions = 0;
});
afterEach(() => world.close());

const ledgerOver = (transact: Transact) =>
  createAttemptLedger({
    ops: {
      transact: (changes, lease) => {
        transactions += 1;
        return transact(changes, lease);
      },
    },
    collections: world.collections,
    waits: createWaits({ clock: hurriedClock(), log: world.log, stopping: new AbortController().signal }),
  });

const webhookOf = (number: number): string => derivedId('whk', String(number));
const answered = (status: number): AttemptResult => ({ kind: 'answer', status, retryAfter: null });

async function begun(event: number, subscription: number) {
  const nowMs = systemClock.nowMs();
  const ids = { eventId: derivedId('evt', String(event)), webhookId: webhookOf(subscription) };
  const { message } = newDelivery({ ...ids, releaseId: derivedId('rel', String(event)), nowMs });
  const result = begin(null, message, nowMs, 60_000);
  if (result.kind !== 'begin') throw new Error('it can begin');
  await world.ops.transact([deliveryChange(result.document, 0)]);
  return { document: result.document, revision: 1 };
}

/** An attempt that was begun in the store and has ended with this answer. */
async function ended(event: number, subscription: number, status: number): Promise<EndedAttempt> {
  const own = await begun(event, subscription);
  const nowMs = systemClock.nowMs();
  const result = answered(status);
  const step = nextStep({ number: 1, result, delaysMs: [50], nowMs, randomFraction: 0.5 });
  const { document } = afterAttempt(own.document, step, nowMs);
  return { revision: 1, document, row: attemptRow(own, { result, atMs: nowMs, latencyMs: 3 }, step) };
}

const endedMany = async (count: number, subscriptions: number, status: number): Promise<EndedAttempt[]> => {
  const attempts = [];
  for (let event = 0; event < count; event += 1) attempts.push(await ended(event, event % subscriptions, status));
  return attempts;
};

const stateAndRow = async ({ document, row }: EndedAttempt) => [
  (await world.collections.deliveries.get(document.id))?.doc,
  (await world.collections.rows.get(row.id))?.doc,
];

it('writes what ends meanwhile in one transaction, and counts every failure', async () => {
  const attempts = await endedMany(60, 3, 503);
  const ledger = ledgerOver(world.ops.transact);
  expect(await Promise.all(attempts.map(ledger.write))).toEqual(attempts.map(() => true));
  expect(transactions).toBe(1);
  for (const attempt of attempts) expect(await stateAndRow(attempt)).toEqual([attempt.document, attempt.row]);
  for (const subscription of [0, 1, 2]) {
    expect(await world.healthOf(webhookOf(subscription))).toMatchObject({ consecutiveFailures: 20 });
  }
});

it('writes a hundred at most at once', async () => {
  const attempts = await endedMany(150, 1, 200);
  const sizes: number[] = [];
  const ledger = ledgerOver((changes, lease) => {
    sizes.push(changes.length);
    return world.ops.transact(changes, lease);
  });
  await Promise.all(attempts.map(ledger.write));
  expect(sizes).toEqual([201, 101]);
});

it('counts once what was stored although no answer came', async () => {
  const attempts = await endedMany(5, 1, 500);
  let answersLost = 2;
  const ledger = ledgerOver(async (changes, lease) => {
    const outcome = await world.ops.transact(changes, lease);
    if ((answersLost -= 1) >= 0) throw new BackendUnavailable('MongoDB');
    return outcome;
  });
  expect(await Promise.all(attempts.map(ledger.write))).toEqual(attempts.map(() => true));
  expect(await world.healthOf(webhookOf(0))).toMatchObject({ consecutiveFailures: 5 });
  expect(await world.rowsOf(webhookOf(0))).toHaveLength(5);
});

it('counts on from what another process counted at the same moment', async () => {
  const [first, second] = await endedMany(2, 1, 500);
  const other = ledgerOver(world.ops.transact);
  let isFirst = true;
  const ledger = ledgerOver(async (changes, lease) => {
    if (isFirst) await other.write(second!);
    isFirst = false;
    return world.ops.transact(changes, lease);
  });
  expect(await ledger.write(first!)).toBe(true);
  expect(await world.healthOf(webhookOf(0))).toMatchObject({ consecutiveFailures: 2 });
});

it('writes the others when one of them was taken over, and of that one what was done', async () => {
  const attempts = await endedMany(4, 1, 500);
  const taken = attempts[2]!;
  const theirs = { ...taken.document, phase: 'sending' as const, leaseUntilMs: systemClock.nowMs() + 60_000 };
  await world.ops.transact([deliveryChange(theirs, 1)]);
  const ledger = ledgerOver(world.ops.transact);
  expect(await Promise.all(attempts.map(ledger.write))).toEqual([true, true, false, true]);
  expect(await stateAndRow(taken)).toEqual([theirs, taken.row]);
  expect(await world.healthOf(webhookOf(0))).toMatchObject({ consecutiveFailures: 4 });
});

it('leaves the health alone when nothing was sent', async () => {
  const own = await begun(1, 1);
  const nowMs = systemClock.nowMs();
  const document = skipAttempt(own.document, 'withdrawn', nowMs);
  const attempt = { revision: 1, document, row: skipRow(own, 'withdrawn', nowMs) };
  expect(await ledgerOver(world.ops.transact).write(attempt)).toBe(true);
  expect(await stateAndRow(attempt)).toEqual([document, attempt.row]);
  expect(await world.healthOf(webhookOf(1))).toBeNull();
});

it('fails with the one that cannot be written, and with no other', async () => {
  const attempts = await endedMany(5, 2, 500);
  const bad = attempts[2]!;
  const ledger = ledgerOver(async (changes, lease) => {
    if (changes.some((change) => change.kind === 'put' && change.doc.id === bad.row.id)) throw new Error('refused');
    return world.ops.transact(changes, lease);
  });
  const results = await Promise.allSettled(attempts.map(ledger.write));
  expect(results.map(({ status }) => status)).toEqual(
    attempts.map((each) => (each === bad ? 'rejected' : 'fulfilled')),
  );
  expect(await world.rowsOf(webhookOf(0))).toHaveLength(2);
  expect(await world.rowsOf(webhookOf(1))).toHaveLength(2);
});

it('tells those whose write failed, and goes on with the next', async () => {
  const [first, second] = await endedMany(2, 1, 200);
  let failures = 1;
  const ledger = ledgerOver(async (changes, lease) => {
    if ((failures -= 1) >= 0) throw new Error('the disk is full');
    return world.ops.transact(changes, lease);
  });
  await expect(ledger.write(first!)).rejects.toThrow('the disk is full');
  expect(await ledger.write(second!)).toBe(true);
});
