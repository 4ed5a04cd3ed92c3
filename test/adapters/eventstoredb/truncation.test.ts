import type { EventStoreDBClient } from '@eventstore/db-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { idsOf } from '../../contract/event-store/every-event.ts';
import { newEvent, newEvents } from '../../spec/events/events.ts';
import { clientOf, plainPath, scavenge } from '../../standin/eventstoredb/standin-fixture.ts';
import { useStandin } from './use-standin.ts';

const { standin, control, open } = useStandin();
let client: EventStoreDBClient;

beforeEach(() => {
  client = clientOf(standin());
});
afterEach(() => client.dispose());

const metadataOf = async (stream: string): Promise<Record<string, unknown> | undefined> =>
  (await client.getStreamMetadata(stream)).metadata;

describe('EventStoreDB stand-in, truncation', () => {
  it('knows the version of a stream whose every event is forgotten, also after a scavenge', async () => {
    const [store, other] = [await open(), await open()];
    await store.append({ stream: 'body-a', expectedVersion: 0, events: newEvents(3) });
    await store.truncate('body-a', 99);
    const empty = { stream: 'body-a', version: 3, events: [] };
    expect(await other.read('body-a')).toEqual(empty);
    expect(await other.read('body-a', { direction: 'backwards' })).toEqual(empty);
    expect(await other.read('body-a', { fromVersion: 2, limit: 1 })).toEqual(empty);
    await scavenge(standin());
    expect(await other.read('body-a')).toEqual(empty);
    const next = { stream: 'body-a', expectedVersion: 3, events: newEvents(2) };
    expect(await other.append(next)).toMatchObject({ outcome: 'appended', version: 5 });
    expect(idsOf((await store.read('body-a')).events)).toEqual(idsOf(next.events));
    await store.truncate('body-a', 6);
    expect(await store.read('body-a')).toEqual({ stream: 'body-a', version: 5, events: [] });
  });

  it('knows the version of a stream that somebody else has truncated', async () => {
    const store = await open();
    await store.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(4) });
    await client.setStreamMetadata('org-a', { truncateBefore: 70 }, plainPath);
    expect(await store.read('org-a')).toEqual({ stream: 'org-a', version: 4, events: [] });
  });

  it('takes a stream that somebody else has deleted for absent, and begins it behind the old events', async () => {
    const store = await open();
    for (const stream of ['org-a', 'org-b']) {
      await store.append({ stream, expectedVersion: 0, events: newEvents(4) });
    }
    await store.truncate('org-b', 5);
    for (const stream of ['org-a', 'org-b']) {
      await client.deleteStream(stream);
      expect(await store.read(stream)).toEqual({ stream, version: 0, events: [] });
      const outcome = await store.append({ stream, expectedVersion: 0, events: newEvents(1) });
      expect(outcome).toMatchObject({ outcome: 'appended', version: 5 });
      expect((await store.read(stream)).events.map(({ version }) => version)).toEqual([5]);
    }
  });

  it('takes a stream that has only metadata for one without events', async () => {
    const store = await open();
    await client.setStreamMetadata('org-a', { maxAge: 60 }, plainPath);
    expect(await store.read('org-a')).toEqual({ stream: 'org-a', version: 0, events: [] });
    await store.truncate('org-a', 3);
    expect(await store.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(1) })).toMatchObject({
      version: 1,
    });
  });

  it('leaves the other metadata of a stream as it is, and an absent stream without any', async () => {
    const store = await open();
    await store.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(4) });
    const acl = { readRoles: ['ops'] };
    await client.setStreamMetadata('org-a', { acl, owner: 'somebody' }, plainPath);
    await store.truncate('org-a', 3);
    expect(await metadataOf('org-a')).toMatchObject({ acl, owner: 'somebody', truncateBefore: 2 });
    await store.truncate('org-b', 3);
    expect(await metadataOf('org-b')).toBeUndefined();
  });

  it('never goes less far, whoever else truncates at the same time', async () => {
    const [left, right] = [await open(), await open()];
    await left.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(20) });
    const marks = Array.from({ length: 18 }, (_, index) => 2 + ((index * 7) % 18));
    await Promise.all(marks.map((mark, index) => (index % 2 === 0 ? left : right).truncate('org-a', mark)));
    expect((await right.read('org-a')).events.map(({ version }) => version)).toEqual([19, 20]);
  });

  it('hides no event that is appended meanwhile', async () => {
    const [store, other] = [await open(), await open()];
    await store.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(1) });
    const writing = async () => {
      for (let version = 1; version < 40; version++) {
        const outcome = await other.append({ stream: 'org-a', expectedVersion: version, events: [newEvent()] });
        expect(outcome).toMatchObject({ outcome: 'appended' });
      }
    };
    const truncating = async () => {
      for (let round = 0; round < 10; round++) await store.truncate('org-a', 1000);
    };
    await Promise.all([writing(), truncating()]);
    const outcome = await other.append({ stream: 'org-a', expectedVersion: 40, events: [newEvent()] });
    expect(outcome).toMatchObject({ outcome: 'appended', version: 41 });
    expect((await store.read('org-a')).events.at(-1)?.version).toBe(41);
  });

  it.each(['commit-then-drop', 'drop-before-commit'] as const)('is done when its answer is lost: %s', async (fault) => {
    const store = await open();
    await store.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(4) });
    await control({ fault, method: 'append' });
    await store.truncate('org-a', 4);
    expect((await store.read('org-a')).events.map(({ version }) => version)).toEqual([4]);
  });
});
