import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOrg } from '../../../commands/org/create-org.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { CommandRunner } from '../../../src/runtime/commands/command-runner.ts';
import { createTempFolder } from '../../spec/temp-folder.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../../spec/worlds/embedded-registry.ts';

const folder = createTempFolder();
let store: EventStore;
let read: string[];
let commands: CommandRunner;

beforeEach(async () => {
  store = await openTestEventStore(folder.path);
  read = [];
  const watched: EventStore = {
    ...store,
    readMany: (streams, options) => {
      read.push(...streams);
      return store.readMany(streams, options);
    },
  };
  ({ commands } = createTestRunners(watched, systemClock));
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

it('reads one name where the first is free, and some others only when it is not', async () => {
  await commands.run(createOrg, { name: 'Acme' }, requestOf(1));
  expect(read).toHaveLength(2); // the org itself and its slug
  const { state } = await commands.run(createOrg, { name: 'Acme' }, requestOf(2));
  expect(state.slug).toBe('acme-2');
  expect(read.slice(2)).toHaveLength(3 + 4); // the org, its first wish and who has that; then some at a time
});
