import { type DeliveryState, messageOf } from '../../delivery/delivery-state.ts';
import type { KeyValue } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { OperationalCollection, OperationalStore, Stored } from '../../ports/operational-store.ts';
import { type MinuteJob, startEveryMinute } from '../every-minute.ts';
import type { DeliveryOutlet } from './delivery-outlet.ts';

/** Longer than messages take on their way, so that what is found then has most likely been lost. */
const overdueMs = 10 * 60_000;
const stepSize = 200;
/** In one minute; the others follow in the next. */
const producedMax = 5_000;
/** Kept from look to look, so that one process remembers what it produced; another takes over when it is gone. */
const leaseTtlMs = 150_000;

export interface SweeperDeps {
  readonly ops: Pick<OperationalStore, 'leases'>;
  readonly deliveries: OperationalCollection<DeliveryState>;
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
 * Produces again the messages of deliveries that should have gone on long ago: of what was written, but whose message
 * was lost before it was produced, or with the topic it lay on. A message too many does no harm.
 */
export function startSweeper(deps: SweeperDeps): MinuteJob {
  const { ops, deliveries, outlet, clock, log, holder } = deps;
  // A message that lies in a long queue is not lost: what was produced again is given as much time as at first.
  const produced = new Map<string, { readonly revision: number; readonly atMs: number }>();

  const isNew = ({ doc, revision }: Stored<DeliveryState>, nowMs: number): boolean => {
    const before = produced.get(doc.id);
    return before?.revision !== revision || before.atMs <= nowMs - overdueMs;
  };
  const forgetOld = (nowMs: number): void => {
    for (const [id, { atMs }] of produced) if (atMs <= nowMs - overdueMs) produced.delete(id);
  };

  async function produceAgain(found: readonly Stored<DeliveryState>[], nowMs: number): Promise<number> {
    const lost = found.filter((each) => isNew(each, nowMs));
    const messages = lost.flatMap(({ doc }) => messageOf(doc) ?? []);
    if (messages.length > 0) await outlet.deliver(messages);
    for (const { doc, revision } of lost) produced.set(doc.id, { revision, atMs: nowMs });
    return messages.length;
  }

  async function sweep(stop: AbortSignal): Promise<number> {
    const nowMs = clock.nowMs();
    let count = 0;
    forgetOld(nowMs);
    for (const look of looks) {
      for await (const found of overdue(deliveries, look, nowMs - overdueMs)) {
        if (stop.aborted || count >= producedMax) return count;
        count += await produceAgain(found, nowMs);
      }
    }
    return count;
  }

  return startEveryMinute({ ...deps, failure: 'the look for lost deliveries failed' }, async (stop) => {
    if ((await ops.leases.acquire('delivery-sweeper', holder, leaseTtlMs)) === null) return;
    const count = await sweep(stop);
    if (count > 0) log.warn('messages of deliveries were lost and are produced again', { count });
  });
}
