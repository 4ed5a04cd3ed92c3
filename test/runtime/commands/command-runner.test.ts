import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeOrg } from '../../../commands/org/change-org.ts';
import { createOrg } from '../../../commands/org/create-org.ts';
import { deleteOrg } from '../../../commands/org/delete-org.ts';
import { restoreOrg } from '../../../commands/org/restore-org.ts';
import { changeRelease } from '../../../commands/release/change-release.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { orgSlugName } from '../../../src/domain/name/name-streams.ts';
import { name as nameModel } from '../../../src/domain/name/state.ts';
import { foldEvents } from '../../../src/kernel/model.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../../spec/worlds/embedded-registry.ts';
import { newEvent } from '../../spec/events/events.ts';
import { createTestSource } from '../../spec/worlds/source-world.ts';
import { holdersOf } from '../../spec/worlds/orgs-in-store.ts';
import { createTempFolder } from '../../spec/temp-folder.ts';

const folder = createTempFolder();
let store: EventStore;
let other: EventStore;

beforeAll(async () => {
  store = await openTestEventStore(folder.path);
  other = await openTestEventStore(folder.path);
});

afterAll(async () => {
  await store.close();
  await other.close();
  folder.remove();
});

const holderOf = async (slug: string) => foldEvents(nameModel, (await store.read(orgSlugName(slug))).events).owner;

describe('command runner', () => {
  it('answers a repeated command as the first time, also after the org has changed', async () => {
    const { commands } = createTestRunners(store, systemClock);
    const first = await commands.run(createOrg, { name: 'Repeated' }, requestOf(1));
    await commands.run(changeOrg, { orgId: first.id, changes: { name: 'Renamed' } }, requestOf(2));
    const again = await commands.run(createOrg, { name: 'Repeated' }, requestOf(1));
    expect(again).toMatchObject({ id: first.id, position: first.position, repeated: true });
    expect(again.state.name).toBe('Repeated');
    expect(await holdersOf(store, orgSlugName('repeated'))).toHaveLength(1);
  });

  it('answers the highest position read when there is nothing new to store', async () => {
    const { commands } = createTestRunners(store, systemClock);
    const org = await commands.run(createOrg, { name: 'Unchanged' }, requestOf(3));
    const same = await commands.run(changeOrg, { orgId: org.id, changes: { name: 'Unchanged' } }, requestOf(4));
    expect(same).toMatchObject({ events: [], position: org.position });
  });

  it('lets writers of two processes on one stream all get through', async () => {
    const mine = createTestRunners(store, systemClock).commands;
    const theirs = createTestRunners(other, systemClock).commands;
    const org = await mine.run(createOrg, { name: 'Contended' }, requestOf(5));
    const tags = Array.from({ length: 12 }, (_, index) => `tag-${index}`);
    await Promise.all(
      tags.map((tag, index) =>
        (index % 2 ? mine : theirs).run(
          changeOrg,
          { orgId: org.id, changes: { description: tag } },
          requestOf(100 + index),
        ),
      ),
    );
    const { events } = await store.read(`org-${org.id}`);
    expect(events).toHaveLength(1 + tags.length);
  });

  it('never records a moment before the events that it was decided on', async () => {
    const ahead = { ...systemClock, nowMs: () => systemClock.nowMs() + 3_600_000 };
    const org = await createTestRunners(store, ahead).commands.run(createOrg, { name: 'Ahead' }, requestOf(6));
    const behind = createTestRunners(store, systemClock).commands;
    await behind.run(changeOrg, { orgId: org.id, changes: { description: 'later' } }, requestOf(7));
    const times = (await store.read(`org-${org.id}`)).events.map((event) => event.metadata.recordedAt);
    expect(times[1]).toBe(times[0]);
  });

  it('gives a generated slug the first free suffix and refuses a taken explicit one', async () => {
    const { commands } = createTestRunners(store, systemClock);
    await commands.run(createOrg, { name: 'Acme' }, requestOf(8));
    const second = await commands.run(createOrg, { name: 'Acme' }, requestOf(9));
    expect(second.state.slug).toBe('acme-2');
    await expect(commands.run(createOrg, { name: 'X', slug: 'acme' }, requestOf(10))).rejects.toMatchObject({
      code: 'conflict',
      details: { field: 'slug', value: 'acme' },
    });
  });

  it('claims nothing when the decision fails', async () => {
    const { commands } = createTestRunners(store, systemClock);
    const org = await commands.run(createOrg, { name: 'Gone', slug: 'gone' }, requestOf(11));
    await commands.run(deleteOrg, { orgId: org.id }, requestOf(12));
    await expect(
      commands.run(changeOrg, { orgId: org.id, changes: { slug: 'never-claimed' } }, requestOf(13)),
    ).rejects.toMatchObject({ code: 'not_found' });
    expect(await holderOf('never-claimed')).toBeNull();
  });

  it('takes an id whose creation was abandoned for one that was never there', async () => {
    const { commands } = createTestRunners(store, systemClock);
    const orgId = `org_${'A'.repeat(21)}`;
    await store.append({
      stream: `org-${orgId}`,
      expectedVersion: 0,
      events: [newEvent('Abandoned.v1', { name: orgSlugName('abandoned') })],
    });
    const change = commands.run(changeOrg, { orgId, changes: { name: 'X' } }, requestOf(21));
    await expect(change).rejects.toMatchObject({ code: 'not_found' });
  });

  it('frees the names of a renamed and of a deleted org, and claims them again on restore', async () => {
    const { commands } = createTestRunners(store, systemClock);
    const org = await commands.run(createOrg, { name: 'First', slug: 'first-name' }, requestOf(14));
    await commands.run(changeOrg, { orgId: org.id, changes: { slug: 'second-name' } }, requestOf(15));
    expect(await holderOf('first-name')).toBeNull();
    await commands.run(deleteOrg, { orgId: org.id }, requestOf(16));
    expect(await holderOf('second-name')).toBeNull();
    const taker = await commands.run(createOrg, { name: 'Taker', slug: 'second-name' }, requestOf(17));
    await expect(commands.run(restoreOrg, { orgId: org.id }, requestOf(18))).rejects.toMatchObject({
      code: 'conflict',
    });
    await commands.run(deleteOrg, { orgId: taker.id }, requestOf(19));
    await commands.run(restoreOrg, { orgId: org.id }, requestOf(20));
    expect(await holderOf('second-name')).toBe(`org-${org.id}`);
  });

  it('stores a long text before the event that names it', async () => {
    const webBaseUrl = 'https://registry.example';
    const { commands, batches } = createTestRunners(store, systemClock);
    const sourceId = await createTestSource(commands, 'Long texts', 300);
    const items = [{ title: 'Release', version: '1.0.0' }];
    const { results } = await batches.run(ingestReleases, { sourceId, items, webBaseUrl }, requestOf(310));
    const releaseId = results[0]!.id;
    const before = await store.head();
    const changes = { content: 'x'.repeat(600 * 1024) };
    await commands.run(changeRelease, { releaseId, changes, contentTokens: 1_000, webBaseUrl }, requestOf(311));
    const { events } = await store.readAll({ afterPosition: before, limit: 100 });
    expect(events.map(({ type }) => type)).toEqual([
      'TextBegun.v1',
      ...Array<string>(3).fill('BodyPartStored.v1'),
      'ReleaseRevised.v1',
    ]);
  });
});
