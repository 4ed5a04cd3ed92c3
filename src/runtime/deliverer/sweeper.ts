import { type DeliveryState, messageOf } from '../../delivery/delivery-state.ts';
import { delivererGroup, deliveriesTopic } from '../../delivery/topics.ts';
import type { KeyValue } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { MessageBus } from '../../ports/message-bus.ts';
import type { OperationalStore, Stored } from '../../ports/operational-store.ts';
import type { Deliveries } from '../../records/delivery/delivery-documents.ts';
import { type MinuteJob, startEveryMinute } from '../jobs/every-minute.ts';
import type { DeliveryOutlet } from './delivery-outlet.ts';

/** Longer than messages take on their way when no queue is in it. */
const overdueMs = 10 * 60_000;
const stepSize = 200;
/** In one minute; the others follow in the next. */
const producedMax = 5_000;
/** With more messages than these in a partition, what is overdue there most likely lies in it. */
const waitingMax = 1_000;
/** Kept from look to look, so that one process remembers what it produced; another takes over when it is gone. */
const leaseTtlMs = 150_000;

export interface SweeperDeps {
  readonly ops: Pick<OperationalStore, 'leases'>;
  readonly bus: Pick<MessageBus, 'progress' | 'partitionsOf'>;
  readonly deliveries: Deliveries;
  readonly outlet: Pick<DeliveryOutlet, 'deliver'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly holder: string;
}

const looks = [
  { phase: 'due', index: 'byDue', field: 'notBeforeMs' },
  { phase: 'sending', index: 'byLease', field: 'leaseUntilMs' },
] as const;

type Look = (typeof looks)[number];

/** Every document of a phase that is overdue, in pages. */
async function* overdue(deliveries: SweeperDeps['deliveries'], { phase, index, field }: Look, toMs: number) {
  let after: readonly KeyValue[] | undefined;
  for (;;) {
    const found = await deliveries.query({
      index,
      equals: { phase },
      to: toMs,
      limit: stepSize,
      ...(after && { after }),
    });
    if (found.length > 0) yield found;
    const last = found.at(-1);
    if (last === undefined || found.length < stepSize) return;
    after = [last.doc[field], last.doc.id];
  }
}

/**
 * Produces again the messages of overdue deliveries: of what was written before a message could be produced, and of
 * messages that the bus gave up or that went with their topic. A message too many does no harm.
 */
export function startSweeper(deps: SweeperDeps): MinuteJob {
  const { ops, bus, deliveries, outlet, clock, log, holder } = deps;
  // What was produced again is given as much time as at first.
  const produced = new Map<string, { readonly revision: number; readonly atMs: number }>();

  const isNew = ({ doc, revision }: Stored<DeliveryState>, nowMs: number): boolean => {
    const before = produced.get(doc.id);
    return before?.revision !== revision || before.atMs <= nowMs - overdueMs;
  };
  const forgetOld = (nowMs: number): void => {
    for (const [id, { atMs }] of produced) if (atMs <= nowMs - overdueMs) produced.delete(id);
  };

  let wasHeldBack = false;

  /**
   * The partitions whose long queue explains what is overdue in them: to produce it again would only make that queue
   * longer. Each for itself, because a receiver that hangs fills its own partition and no other.
   */
  async function longQueues(): Promise<ReadonlySet<number>> {
    const progress = await bus.progress(delivererGroup, [deliveriesTopic]);
    const long = progress.filter(({ waiting }) => waiting > waitingMax);
    if (long.length > 0 && !wasHeldBack) {
      const partitions = long.map(({ partition, waiting }) => ({ partition, waiting }));
      log.info('overdue deliveries are left to the long queue of messages in their partition', { partitions });
    }
    wasHeldBack = long.length > 0;
    return new Set(long.map(({ partition }) => partition));
  }

  async function outsideOf(
    long: ReadonlySet<number>,
    found: readonly Stored<DeliveryState>[],
  ): Promise<readonly Stored<DeliveryState>[]> {
    if (long.size === 0) return found;
    const keys = found.map(({ doc }) => doc.webhookId);
    const partitions = await bus.partitionsOf(deliveriesTopic, keys);
    return found.filter((_, index) => !long.has(partitions[index]!));
  }

  async function produceAgain(found: readonly Stored<DeliveryState>[], nowMs: number): Promise<number> {
    const again = found.filter((each) => isNew(each, nowMs));
    const messages = again.flatMap(({ doc }) => messageOf(doc) ?? []);
    if (messages.length > 0) await outlet.deliver(messages);
    for (const { doc, revision } of again) produced.set(doc.id, { revision, atMs: nowMs });
    return messages.length;
  }

  async function sweep(stop: AbortSignal): Promise<number> {
    const nowMs = clock.nowMs();
    const long = await longQueues();
    let count = 0;
    forgetOld(nowMs);
    for (const look of looks) {
      for await (const found of overdue(deliveries, look, nowMs - overdueMs)) {
        if (stop.aborted || count >= producedMax) return count;
        count += await produceAgain(await outsideOf(long, found), nowMs);
      }
    }
    return count;
  }

  return startEveryMinute({ ...deps, failure: 'the look for overdue deliveries failed' }, async (stop) => {
    if ((await ops.leases.acquire('delivery-sweeper', holder, leaseTtlMs)) === null) return;
    const count = await sweep(stop);
    if (count > 0) log.warn('deliveries were overdue: their messages are produced again', { count });
  });
}
