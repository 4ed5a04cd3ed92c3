import { createEmbeddedEventStore } from '../../../src/adapters/embedded/event-store/event-store.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { nameOwners } from '../../../src/domain/name/name-owners.ts';
import { upcasters } from '../../../src/domain/upcasters.ts';
import type { CommandRequest } from '../../../src/kernel/command.ts';
import { createEventCodec } from '../../../src/kernel/event-codec.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { Snapshots } from '../../../src/records/snapshots.ts';
import { createBatchRunner } from '../../../src/runtime/commands/batch-runner.ts';
import { createCommandRunner } from '../../../src/runtime/commands/command-runner.ts';

/** A number as a UUID, for commands that a test repeats. */
export const commandIdOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const requestOf = (number: number, actor = 'root'): CommandRequest => ({
  commandId: commandIdOf(number),
  actor,
  cause: 'edit',
  correlationId: `test-${number}`,
});

export const openTestEventStore = (folder: string): Promise<EventStore> =>
  createEmbeddedEventStore({
    folder,
    codec: createEventCodec(upcasters),
    onFatal: (error) => {
      throw error;
    },
  });

export const createTestRunners = (store: EventStore, clock: Clock, snapshots?: Snapshots) => {
  const deps = { store, clock, random: systemRandom, snapshots };
  return { commands: createCommandRunner({ ...deps, nameOwners }), batches: createBatchRunner(deps) };
};
