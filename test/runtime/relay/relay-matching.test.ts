import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseDeliveryMessage } from '../../../src/delivery/message.ts';
import { deliveriesTopic } from '../../../src/delivery/topics.ts';
import { streamOf } from '../../../src/kernel/stream-name.ts';
import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import { relayPosition } from '../../../src/runtime/relay/relay-checkpoint.ts';
import {
  announcement,
  created,
  deleted,
  disabled,
  idOf,
  openRelayWorld,
  pair,
  type RelayWorld,
} from './relay-world.ts';

let world: RelayWorld;

beforeEach(async () => {
  world = await openRelayWorld();
});

afterEach(() => world.close());

/** Whether it runs meanwhile or comes late must make no difference. */
const whenever = ['while they come', 'long after they came', 'now and then'] as const;

/** Runs the steps with a relay that works at such times, and lets it come to the end. */
async function relayed(when: (typeof whenever)[number], steps: readonly (() => Promise<number>)[]): Promise<string[]> {
  const relay = when === 'while they come' ? world.start() : null;
  for (const [index, step] of steps.entries()) {
    await step();
    if (relay !== null) await world.caughtUp(relay);
    if (when === 'now and then' && index % 2 === 1) await world.relayAll();
  }
  await relay?.close();
  await world.relayAll();
  return world.deliveries();
}

describe('who gets an announcement', () => {
  it.each(whenever)('is who had subscribed when it was recorded, relayed %s', async (when) => {
    const got = await relayed(when, [
      () => world.announce('before'),
      () => world.webhook('early', created()),
      () => world.announce('between'),
      () => world.webhook('late', created()),
      () => world.announce('after'),
    ]);
    expect(got).toEqual([pair('after', 'early'), pair('after', 'late'), pair('between', 'early')]);
  });

  it.each(whenever)('is nobody who was disabled or deleted by then, relayed %s', async (when) => {
    const got = await relayed(when, [
      () => world.webhook('off', created({ enabled: false })),
      () => world.webhook('gone', created()),
      () => world.webhook('left', created()),
      () => world.webhook('stays', created()),
      () => world.announce(1),
      () => world.webhook('gone', disabled),
      () => world.announce(2),
      () => world.webhook('left', deleted),
      () => world.webhook('gone', deleted),
      () => world.announce(3),
    ]);
    expect(got).toEqual(
      [
        ...['gone', 'left', 'stays'].map((name) => pair(1, name)),
        ...['left', 'stays'].map((name) => pair(2, name)),
        pair(3, 'stays'),
      ].sort(),
    );
  });

  it('is who filters it in', async () => {
    await world.webhook('all', created());
    await world.webhook('otherOrg', created({ orgId: idOf('org', 'other') }));
    await world.webhook('source', created({ sourceId: idOf('src', 'one') }));
    await world.webhook('product', created({ productId: idOf('prod', 'one') }));
    await world.webhook('type', created({ releaseType: 'rollup' }));
    await world.webhook('important', created({ minImportance: 3 }));
    await world.webhook('breaking', created({ breaking: ['major', 'unknown'] }));
    await world.announce('plain', { importance: null });
    await world.announce('every', {
      sourceId: idOf('src', 'one'),
      productId: idOf('prod', 'one'),
      type: 'rollup',
      importance: 3,
      breaking: 'major',
    });
    await world.announce('elsewhere', { orgId: idOf('org', 'other') });
    await world.announce('standalone', { orgId: null });
    await world.relayAll();
    const everything = ['all', 'source', 'product', 'type', 'important', 'breaking'].map((name) => pair('every', name));
    expect(await world.deliveries()).toEqual(
      [pair('plain', 'all'), ...everything, pair('elsewhere', 'otherOrg')].sort(),
    );
  });

  it('learns of it by a message that names the first attempt, keyed by the subscription', async () => {
    await world.webhook('one', created());
    const event = announcement('news');
    const recordedMs = Date.now() - 3_600_000;
    const recordedAt = new Date(recordedMs).toISOString();
    await world.append(streamOf('release', idOf('rel', 'news')), event, { recordedAt });
    await world.relayAll();
    const [message, ...others] = await world.on(deliveriesTopic);
    expect(others).toEqual([]);
    expect(message?.key).toBe(idOf('whk', 'one'));
    expect(parseDeliveryMessage(message!.value)).toEqual({
      kind: 'message',
      message: {
        eventId: idOf('evt', 'news'),
        webhookId: idOf('whk', 'one'),
        releaseId: idOf('rel', 'news'),
        run: 1,
        attempt: 1,
        notBefore: recordedMs,
      },
    });
  });

  it('learns of it now, although the clock of who wrote it was ahead', async () => {
    await world.webhook('one', created());
    const recordedAt = new Date(Date.now() + 7_200_000).toISOString();
    await world.append(streamOf('release', idOf('rel', 'news')), announcement('news'), { recordedAt });
    await world.relayAll();
    const parsed = (await world.on(deliveriesTopic)).map(({ value }) => parseDeliveryMessage(value));
    expect(parsed).toMatchObject([{ message: { eventId: idOf('evt', 'news') } }]);
    for (const each of parsed) if (each.kind === 'message') expect(each.message.notBefore).toBeLessThan(Date.now() + 1);
  });
});

describe('many at once', () => {
  it('are saved in steps, so that a stop or a crash in a batch repeats little', async () => {
    for (let name = 0; name < 60; name += 1) await world.webhook(`w${name}`, created());
    for (let name = 0; name < 200; name += 1) await world.announce(`a${name}`);
    const saved: number[] = [];
    const ops: OperationalStore = {
      ...world.ops,
      transact: async (changes, lease) => {
        const outcome = await world.ops.transact(changes, lease);
        const at = await relayPosition(world.ops);
        if (at !== saved.at(-1)) saved.push(at);
        return outcome;
      },
    };
    await world.relayAll({ ops });
    expect(saved.length).toBeGreaterThan(2); // 12,000 messages, and one batch of events
    expect(saved).toEqual(saved.toSorted((a, b) => a - b));
    const got = await world.deliveries();
    expect(got).toHaveLength(12_000);
    expect(new Set(got).size).toBe(12_000);
  });

  it('are produced in bounded pieces and none is left out', async () => {
    const [subscriptions, announcements] = [120, 60];
    for (let name = 0; name < subscriptions; name += 1) await world.webhook(`w${name}`, created());
    for (let name = 0; name < announcements; name += 1) await world.announce(`a${name}`);
    const sizes: number[] = [];
    const measured = {
      produce: async (topic: string, messages: Parameters<typeof world.bus.produce>[1]) => {
        sizes.push(messages.length);
        await world.bus.produce(topic, messages);
      },
    };
    await world.relayAll({ bus: measured });
    expect(Math.max(...sizes)).toBe(500);
    const got = await world.deliveries();
    expect(got).toHaveLength(subscriptions * announcements);
    expect(new Set(got).size).toBe(got.length);
  });
});
