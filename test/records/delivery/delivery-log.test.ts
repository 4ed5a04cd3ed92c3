import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { derivedId } from '../../../src/kernel/ids.ts';
import { type DeliveryLogRow, logRowChange, openDeliveryLog } from '../../../src/records/delivery/delivery-log.ts';
import { type DeliveryWorld, openDeliveryWorld } from '../../runtime/deliverer/delivery-world.ts';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await openDeliveryWorld();
});
afterEach(() => world.close());

const webhookId = derivedId('whk', 'one');
const otherId = derivedId('whk', 'other');
const startedMs = Date.now();

const row = (id: string, fields: Partial<DeliveryLogRow> = {}): DeliveryLogRow => ({
  id,
  webhookId,
  eventId: derivedId('evt', id),
  run: 1,
  attempt: 1,
  outcome: 'retry',
  httpStatus: 503,
  latencyMs: 1,
  errorCode: 'subscriber_5xx',
  errorMessage: 'try later',
  atMs: startedMs,
  nextAttemptAtMs: null,
  isTest: false,
  failed: 1,
  ...fields,
});

const write = async (rows: readonly DeliveryLogRow[]): Promise<void> => {
  for (let from = 0; from < rows.length; from += 1_000) {
    await world.ops.transact(rows.slice(from, from + 1_000).map(logRowChange));
  }
};
const many = (count: number): DeliveryLogRow[] => Array.from({ length: count }, (_, index) => row(`row-${index}`));

it.each([true, false])(
  'is ordered by time, then by attempt, also from page to page (failed only: %s)',
  async (failedOnly) => {
    await write([
      row('c', { attempt: 1 }),
      row('b', { attempt: 10 }),
      row('a', { attempt: 2 }),
      row('d', { attempt: 1, atMs: startedMs + 1 }),
    ]);
    const log = await openDeliveryLog(world.ops);
    const [first, second, ...others] = await log.page({ webhookId, failedOnly, limit: 2 });
    expect([first?.id, second?.id, ...others]).toEqual(['d', 'b']);
    const after = [second!.atMs, second!.attempt, second!.id];
    const rest = await log.page({ webhookId, failedOnly, limit: 10, after });
    expect(rest.map(({ id }) => id)).toEqual(['a', 'c']);
  },
);

describe('removing the log of a webhook', () => {
  it('takes its rows in small steps, and none of another', async () => {
    await write([...many(1_203), row('other', { webhookId: otherId })]);
    const sizes: number[] = [];
    const log = await openDeliveryLog({
      ...world.ops,
      transact: (changes, lease) => {
        sizes.push(changes.length);
        return world.ops.transact(changes, lease);
      },
    });
    await log.remove(webhookId);
    expect(await world.rowsOf(webhookId)).toEqual([]);
    expect(Math.max(...sizes)).toBe(500);
    expect(await world.rowsOf(otherId)).toHaveLength(1);
    await log.remove(webhookId); // twice is as good as once
  });

  it('leaves what is over 20,000 rows to their expiry', async () => {
    await write(many(20_007));
    await (await openDeliveryLog(world.ops)).remove(webhookId);
    expect(await world.rowsOf(webhookId)).toHaveLength(7);
  });
});
