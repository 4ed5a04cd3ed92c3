import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { afterAttempt, begin, newDelivery } from '../../../src/delivery/delivery-state.ts';
import { renderDeliveryMessage } from '../../../src/delivery/message.ts';
import { retryDelays } from '../../../src/delivery/retry-delays.ts';
import { deliveriesTopic } from '../../../src/delivery/topics.ts';
import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import { deliveryChange } from '../../../src/records/delivery/delivery-documents.ts';
import { deliveryLogDeclaration } from '../../../src/records/delivery/delivery-log.ts';
import { eventually } from '../../spec/eventually.ts';
import { hurriedClock } from '../../spec/hurried-clock.ts';
import { createOutage } from '../../spec/servers/outage.ts';
import { type DeliveryWorld, openDeliveryWorld } from './delivery-world.ts';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await openDeliveryWorld();
});
afterEach(() => world.close());

const isFinal = async (message: Parameters<DeliveryWorld['stateOf']>[0]) =>
  (await world.stateOf(message))?.phase === 'final';

async function prepare(...given: Parameters<DeliveryWorld['receiver']>) {
  const receiver = await world.receiver(...given);
  const webhookId = await world.subscribe(receiver.url());
  const message = world.newMessage(webhookId, await world.announce());
  return { receiver, webhookId, message };
}

const step = { errorCode: null, errorMessage: null, nextAttemptAtMs: null, disables: null } as const;

/** The document of a delivery whose first attempt has ended so. */
function endedWith(
  message: Parameters<DeliveryWorld['stateOf']>[0],
  over: Partial<Parameters<typeof afterAttempt>[1]>,
) {
  const nowMs = Date.now();
  const begun = begin(newDelivery({ ...message, nowMs }).document, message, nowMs, 1_000);
  if (begun.kind !== 'begin') throw new Error('it can begin');
  return afterAttempt(begun.document, { ...step, outcome: 'success', ...over }, nowMs).document;
}

describe('messages that come again', () => {
  it('send once, also while the first of them is being sent', async () => {
    world.start();
    let answer: (() => void) | undefined;
    const { receiver, webhookId, message } = await prepare(({ response }) => {
      answer = () => void response.writeHead(200).end();
      return null;
    });
    await world.produce(...Array.from({ length: 8 }, () => message));
    await eventually('the others found it busy', async () => {
      const waiting = await Promise.all(['50ms', '100ms'].map((name) => world.waitingOn(`webhooks.retry.${name}`)));
      return answer !== undefined && waiting[0]! + waiting[1]! === 7;
    });
    answer?.();
    await eventually('it is final', () => isFinal(message));
    await world.produce(message);
    await eventually('all are finished', async () => (await world.waitingOn(deliveriesTopic)) === 0);
    expect(receiver.requests).toHaveLength(1);
    expect(await world.rowsOf(webhookId)).toMatchObject([{ attempt: 1, outcome: 'success' }]);
  });

  it('carry a delivery on whose next message was lost', async () => {
    const { receiver, webhookId, message } = await prepare();
    const document = endedWith(message, { outcome: 'retry', nextAttemptAtMs: Date.now() });
    await world.ops.transact([deliveryChange(document, 0)]);
    await world.produce(message);
    world.start();
    await eventually('it is final', () => isFinal(message));
    expect(receiver.requests).toHaveLength(1);
    expect(await world.rowsOf(webhookId)).toMatchObject([{ attempt: 2, outcome: 'success' }]);
  });

  it('tell again of a dead letter that may not have been told, and send nothing', async () => {
    const { receiver, message } = await prepare();
    const last = { ...message, attempt: 3 };
    const document = { ...endedWith(message, { outcome: 'dlq', errorCode: 'timeout' }), attempt: 3 };
    await world.ops.transact([deliveryChange(document, 0)]);
    await world.produce(message, last);
    world.start();
    await world.settled();
    const letters = await world.deadLetters();
    expect(letters.map(({ value }) => JSON.parse(value) as object)).toMatchObject([{ attempt: 3, outcome: 'dlq' }]);
    expect(receiver.requests).toEqual([]);
  });
});

describe('a message before its time', () => {
  it('waits on a topic where one fits, and is sent when its time has come', async () => {
    world.start();
    const { webhookId, message } = await prepare();
    const notBefore = Date.now() + 300;
    await world.produce({ ...message, notBefore });
    await eventually('it is final', () => isFinal(message));
    const [row] = await world.rowsOf(webhookId);
    expect(row?.atMs).toBeGreaterThanOrEqual(notBefore);
    expect(await world.messagesOn('webhooks.retry.100ms')).toHaveLength(1);
  });

  it('lies on its retry topic for the time that jitter leaves of the delay', async () => {
    const { receiver, message } = await prepare();
    const other = world.newMessage(message.webhookId, await world.announce());
    const retries = ['1ms', '2h'].map((name) => `webhooks.retry.${name}`);
    await world.bus.ensureTopics(retries.map((name) => ({ name, partitions: 1, retentionMs: 3_600_000 })));
    for (const [index, retry] of [message, other].entries()) {
      await world.bus.produce(retries[index]!, [{ key: retry.webhookId, value: renderDeliveryMessage(retry) }]);
    }
    world.start({ delays: retryDelays(['1ms', '2h']) });
    await eventually('the short one is over', () => isFinal(message));
    expect(await world.waitingOn(retries[1]!)).toBe(1);
    expect(receiver.requests).toHaveLength(1);
  });

  it('waits in the hands of its member where none fits', async () => {
    world.start();
    const { webhookId, message } = await prepare();
    const notBefore = Date.now() + 35;
    await world.produce({ ...message, notBefore });
    await eventually('it is final', () => isFinal(message));
    const [row] = await world.rowsOf(webhookId);
    expect(row?.atMs).toBeGreaterThanOrEqual(notBefore);
  });
});

describe('a deliverer that is lost', () => {
  const whenLedgerWrites = (fail: () => Promise<never>): OperationalStore => {
    let isFirst = true;
    return {
      ...world.ops,
      transact: async (changes, lease) => {
        if (!isFirst || !changes.some(({ collection }) => collection === deliveryLogDeclaration.name)) {
          return world.ops.transact(changes, lease);
        }
        isFirst = false;
        return fail();
      },
    };
  };

  it('between sending and writing makes another send again, with the same id, after the lease', async () => {
    const { receiver, webhookId, message } = await prepare();
    let begunMs = Number.NaN;
    const ops = whenLedgerWrites(async () => {
      begunMs = (await world.stateOf(message))?.changedAtMs ?? Number.NaN;
      throw new Error('killed');
    });
    await world.produce(message);
    world.start({ ops, leaseMs: 1_500 });
    await eventually('it is final', () => isFinal(message));
    await world.settled();
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([message.eventId, message.eventId]);
    const rows = await world.rowsOf(webhookId);
    expect(rows).toMatchObject([{ attempt: 1, outcome: 'success' }]);
    expect(rows[0]?.atMs).toBeGreaterThanOrEqual(begunMs + 1_500);
  });

  it('leaves the document to the member that took its attempt over, and tells what it did', async () => {
    let answer: (() => void) | undefined;
    const { webhookId, message } = await prepare(({ response }) => {
      answer = () => void response.writeHead(500).end();
      return null;
    });
    await world.produce(message);
    world.start();
    await eventually('it is sent', () => answer !== undefined);
    const document = (await world.stateOf(message))!;
    const theirs = { ...document, leaseUntilMs: Date.now() + 60_000 };
    await world.ops.transact([deliveryChange(theirs, 1)]);
    answer?.();
    await world.settled();
    expect(await world.stateOf(message)).toEqual(theirs);
    expect(await world.rowsOf(webhookId)).toMatchObject([{ attempt: 1, outcome: 'retry', httpStatus: 500 }]);
    expect(await world.healthOf(webhookId)).toMatchObject({ consecutiveFailures: 1 });
  });

  it('by closing lets what was sent be answered, and gives back what waits', async () => {
    let answer: (() => void) | undefined;
    const { message } = await prepare(({ response }) => {
      answer = () => void response.writeHead(200).end();
      return null;
    });
    const later = {
      ...world.newMessage(message.webhookId, await world.announce()),
      notBefore: Date.now() + 60_000,
    };
    await world.bus.ensureTopics([{ name: 'webhooks.retry.2h', partitions: 1, retentionMs: 3_600_000 }]);
    await world.produce(message, later);
    const deliverer = world.start({ delays: [{ name: '2h', delayMs: 7_200_000 }] });
    await eventually('it is sent', () => answer !== undefined);
    let isClosed = false;
    const closed = deliverer.close().then(() => {
      isClosed = true;
    });
    await eventually('what waited is given back', async () => {
      expect(isClosed).toBe(false);
      return (await world.waitingOn(deliveriesTopic)) > 0;
    });
    answer?.();
    await closed;
    await deliverer.done;
    expect(await world.stateOf(message)).toMatchObject({ phase: 'final', outcome: 'success' });
    expect(await world.waitingOn(deliveriesTopic)).toBe(1);
  });
});

describe('an outage', () => {
  const clock = hurriedClock();
  const waitsTold = () => world.log.lines.filter(({ sentence }) => sentence.startsWith('delivering'));

  it.each(['before it begins', 'while it sends'] as const)(
    'of the documents %s loses nothing and sends once',
    async (when) => {
      const outage = createOutage('MongoDB');
      if (when === 'before it begins') outage.begin();
      const { receiver, webhookId, message } = await prepare(({ number }) => {
        if (when === 'while it sends' && number === 1) outage.begin();
        return { status: number === 1 ? 500 : 200 };
      });
      await world.produce(message);
      world.start({ ops: outage.over(world.ops), clock });
      // More often than the bus would try a message.
      await eventually('it is noticed', () => outage.met() > 20);
      outage.end();
      await eventually('it is final', () => isFinal(message));
      await world.settled();
      expect(receiver.requests).toHaveLength(2);
      expect(await world.rowsOf(webhookId)).toMatchObject([
        { attempt: 1, outcome: 'retry' },
        { attempt: 2, outcome: 'success' },
      ]);
      expect(waitsTold().map(({ level }) => level)).toEqual(['warn', 'info']);
      expect(await world.deadLetters()).toEqual([]);
    },
  );

  it('of the events loses nothing and sends once', async () => {
    const outage = createOutage('EventStoreDB');
    outage.begin();
    const { receiver, message } = await prepare();
    await world.produce(message);
    world.start({ store: outage.over(world.store), clock });
    await eventually('it is noticed', () => outage.met() > 20);
    expect(await world.stateOf(message)).toBeNull(); // nothing is begun that cannot be sent
    outage.end();
    await eventually('it is final', () => isFinal(message));
    expect(receiver.requests).toHaveLength(1);
    expect(await world.deadLetters()).toEqual([]);
  });

  it('of the bus keeps what follows until it can be produced', async () => {
    const outage = createOutage('Kafka');
    const { receiver, message } = await prepare(({ number }) => {
      if (number === 1) outage.begin();
      return { status: number === 1 ? 500 : 200 };
    });
    await world.produce(message);
    world.start({ bus: outage.over(world.bus), clock });
    await eventually('it is noticed', () => outage.met() > 20);
    expect(await world.stateOf(message)).toMatchObject({ phase: 'due', attempt: 2 });
    outage.end();
    await eventually('it is final', () => isFinal(message));
    expect(receiver.requests).toHaveLength(2);
    expect(await world.deadLetters()).toEqual([]);
  });

  it('does not keep the deliverer from closing', async () => {
    const outage = createOutage('MongoDB');
    const { message } = await prepare(() => {
      outage.begin();
      return { status: 200 };
    });
    await world.produce(message);
    const deliverer = world.start({ ops: outage.over(world.ops), clock });
    await eventually('it is noticed', () => outage.met() > 5);
    await deliverer.close();
    await deliverer.done;
    expect(await world.waitingOn(deliveriesTopic)).toBe(1);
    const second = world.start({ ops: outage.over(world.ops), clock }); // cannot even open what it writes to
    await second.close();
    await second.done;
  });
});
