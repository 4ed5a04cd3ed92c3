import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrg } from '../../commands/org/create-org.ts';
import { deleteOrg } from '../../commands/org/delete-org.ts';
import { restoreOrg } from '../../commands/org/restore-org.ts';
import { deleteSource } from '../../commands/source/delete-source.ts';
import type { EventStore } from '../../src/ports/event-store.ts';
import { addSource, restoreSource } from '../../src/use-cases/add-source.ts';
import type { CommandRunner } from '../../src/runtime/commands/command-runner.ts';
import { openInThreadEventStore } from '../spec/in-thread-event-store.ts';
import { createTempFolder } from '../spec/temp-folder.ts';
import { createTestRunners, requestOf } from '../spec/worlds/embedded-registry.ts';

const folder = createTempFolder();
const clock = { nowMs: () => Date.UTC(2026, 1, 1), sleep: async () => {} };
let store: EventStore;
let commands: CommandRunner;
let orgId: string;
let lastRequest = 0;
const nextRequest = () => requestOf((lastRequest += 1));

/** Somebody deletes the org as soon as the source is stored. */
const services = () => {
  const run: CommandRunner['run'] = async (command, input, request) => {
    if (command.name === 'PromoteOrg') await commands.run(deleteOrg, { orgId }, nextRequest());
    return commands.run(command, input, request);
  };
  return { commands: { run } };
};

beforeAll(async () => {
  store = openInThreadEventStore(folder.path);
  ({ commands } = createTestRunners(store, clock));
  ({ id: orgId } = await commands.run(createOrg, { name: 'Acme' }, nextRequest()));
});
afterAll(async () => {
  await store.close();
  folder.remove();
});

const lastOf = async (sourceId: string) => (await store.read(`source-${sourceId}`)).events.at(-1);

describe('a source whose org is deleted when it was just stored', () => {
  it('is told with its position, not as not found', async () => {
    const fields = { orgId, name: 'CLI', type: 'feed', url: 'https://acme.example/feed' };
    const added = await addSource(services(), fields, nextRequest());
    expect(await lastOf(added.id)).toMatchObject({ type: 'SourceCreated.v1', position: added.position });

    await commands.run(restoreOrg, { orgId }, nextRequest());
    await commands.run(deleteSource, { sourceId: added.id }, nextRequest());
    const restored = await restoreSource(services(), added.id, nextRequest());
    expect(await lastOf(added.id)).toMatchObject({ type: 'SourceRestored.v1', position: restored.position });
  });

  it('is not found when the org was deleted before', async () => {
    const fields = { orgId, name: 'Late', type: 'feed', url: 'https://acme.example/late' };
    await expect(addSource({ commands }, fields, nextRequest())).rejects.toMatchObject({ code: 'not_found' });
  });
});
