import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartupError } from '../../../src/kernel/startup-error.ts';
import type { MessageBus } from '../../../src/ports/message-bus.ts';
import { ensureOwnTopics, foreignOwner } from '../../../src/runtime/relay/own-topics.ts';
import { openEmbeddedBus } from '../../spec/worlds/embedded-bus.ts';

const registryId = '00000000-0000-4000-8000-000000000001';
const another = '00000000-0000-4000-8000-000000000002';
const own = { registryId, newBusId: () => '00000000-0000-4000-8000-00000000000a' };
const foreign = { registryId: another, newBusId: () => '00000000-0000-4000-8000-00000000000b' };
const topics = [{ name: 'work', partitions: 2, retentionMs: 60_000 }];

let bus: MessageBus;
let close: () => Promise<void>;

beforeEach(async () => {
  ({ bus, close } = await openEmbeddedBus());
});
afterEach(() => close());

describe('the topics of a registry', () => {
  it('are made, and found again by the same registry', async () => {
    expect(await foreignOwner(bus, null)).toBeNull();
    const made = { busId: own.newBusId(), notices: [] };
    expect(await ensureOwnTopics(bus, topics, own)).toEqual(made);
    expect(await ensureOwnTopics(bus, topics, { ...own, newBusId: foreign.newBusId })).toEqual(made);
    expect(await bus.topics()).toContain('work');
    expect(await foreignOwner(bus, registryId)).toBeNull();
  });

  it('are refused to another registry, which is told what to do', async () => {
    await ensureOwnTopics(bus, topics, own);
    const refused = ensureOwnTopics(bus, [...topics, { ...topics[0]!, name: 'more' }], foreign);
    await expect(refused).rejects.toThrow(StartupError);
    await expect(refused).rejects.toThrow(`belong to registry ${registryId}`);
    await expect(refused).rejects.toThrow('KAFKA_TOPIC_PREFIX');
    expect(await bus.topics()).not.toContain('more');
    expect(await foreignOwner(bus, another)).toBe(registryId);
  });

  it('tell of what is other than declared', async () => {
    await ensureOwnTopics(bus, topics, own);
    const { notices } = await ensureOwnTopics(bus, [{ ...topics[0]!, partitions: 1 }], own);
    expect(notices).toEqual([expect.stringContaining('work')]);
  });
});
