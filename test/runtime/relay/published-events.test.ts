import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deleteOrg } from '../../../commands/org/delete-org.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { publishedTypes, type RegistryEvent } from '../../../src/delivery/registry-event.ts';
import { registryEventsTopic } from '../../../src/delivery/topics.ts';
import type { DomainEvent, RecordedEvent } from '../../../src/kernel/event.ts';
import type { ReceivedMessage } from '../../../src/ports/message-bus.ts';
import { createTestRunners, requestOf } from '../../spec/worlds/embedded-registry.ts';
import { buildSmallWorld } from '../../spec/worlds/small-world.ts';
import { created, deleted, openRelayWorld, type RelayWorld } from './relay-world.ts';

const fixtures = new URL('../../fixtures/events/', import.meta.url);
const schemas = new URL('../../../ops/schemas/', import.meta.url);

const jsonIn = <Value>(folder: URL, name: string): Value =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Value;

let world: RelayWorld;

beforeEach(async () => {
  world = await openRelayWorld();
});

afterEach(() => world.close());

const everyEvent = async (): Promise<RecordedEvent[]> => {
  const { events } = await world.store.readAll({ afterPosition: 0, limit: 10_000 });
  return [...events];
};

const publicCategories = new Set([
  'registry',
  'org',
  'product',
  'source',
  'overview',
  'summary',
  'changelog',
  'collection',
  'tag',
  'notice',
  'release',
]);
const isPublished = ({ type, stream }: RecordedEvent): boolean =>
  (publishedTypes as readonly string[]).includes(type) && publicCategories.has(stream.category);

const byStream = (ids: readonly { readonly stream: string; readonly id: string }[]): Record<string, string[]> => {
  const streams: Record<string, string[]> = {};
  for (const { stream, id } of ids) (streams[stream] ??= []).push(id);
  return streams;
};

const envelopeOf = ({ value }: ReceivedMessage) => JSON.parse(value) as RegistryEvent;

/** What lies on the topic is what was recorded, once each, in the order of each stream, as the schemas say. */
async function expectPublished(): Promise<RegistryEvent[]> {
  const messages = await world.on(registryEventsTopic);
  const envelopes = messages.map(envelopeOf);
  const recorded = (await everyEvent()).filter(isPublished);
  expect(byStream(messages.map((message) => ({ stream: message.key, id: envelopeOf(message).id })))).toEqual(
    byStream(recorded.map(({ stream, id }) => ({ stream: stream.name, id }))),
  );
  const common = z.fromJSONSchema(jsonIn(schemas, 'envelope.json'));
  for (const envelope of envelopes) {
    expect(common.safeParse(envelope).error, envelope.type).toBeUndefined();
    const own = z.fromJSONSchema(jsonIn(schemas, `${envelope.type}.json`));
    expect(own.safeParse(envelope).error, envelope.type).toBeUndefined();
  }
  return envelopes;
}

describe('what the relay publishes on registry.events', () => {
  it('is every event of every published type, and nothing of the others', async () => {
    for (const file of readdirSync(fixtures).sort()) {
      const { stream, ...event } = jsonIn<DomainEvent & { stream: string }>(fixtures, file);
      await world.append(stream, event);
    }
    await world.webhook('one', created());
    await world.webhook('one', deleted);
    await world.relayAll();
    const types = new Set((await expectPublished()).map(({ type }) => type));
    expect([...types].sort()).toEqual([...publishedTypes].sort());
  });

  it('is what commands have recorded, relayed in the middle and at the end', async () => {
    const runners = createTestRunners(world.store, systemClock);
    const relay = world.start();
    const { orgId } = await buildSmallWorld(runners, 'Acme', 1);
    await relay.close();
    await buildSmallWorld(runners, 'Umbrella', 100);
    await runners.commands.run(deleteOrg, { orgId }, requestOf(200));
    await world.relayAll();
    expect((await expectPublished()).length).toBeGreaterThan(80);
  });

  it('carries the sequence number that an event was first stored with', async () => {
    const moved = jsonIn<DomainEvent & { stream: string }>(fixtures, 'OrgHidden.v1.json');
    await world.append(moved.stream, { type: moved.type, data: moved.data }, { seq: 4711 });
    await world.relayAll();
    const [envelope] = await expectPublished();
    expect(envelope?.sequence).toBe('0000000000004711');
  });
});
