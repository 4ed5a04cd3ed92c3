import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import {
  createEventStoreDbEventStore,
  type EventStoreDbEventStoreOptions,
} from '../../../src/adapters/eventstoredb/event-store.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { contractCodec } from '../../contract/event-store/harness.ts';
import { hurriedClock } from '../../spec/hurried-clock.ts';
import type { StandinCommand } from '../../standin/eventstoredb/standin-command.ts';
import { type Standin, type StandinOptions, startStandin } from '../../standin/eventstoredb/standin-process.ts';

export interface UsedStandin {
  readonly standin: () => Standin;
  readonly control: (...commands: StandinCommand[]) => Promise<void>;
  readonly open: (options?: Partial<EventStoreDbEventStoreOptions>) => Promise<EventStore>;
}

/** One process for a file of tests, emptied before each; what was opened is closed after each. */
export function useStandin(options?: StandinOptions): UsedStandin {
  let standin: Standin;
  let stores: EventStore[] = [];

  beforeAll(async () => {
    standin = await startStandin(options);
  });
  beforeEach(() => standin.control({ command: 'reset' }));
  afterEach(async () => {
    await standin.control({ command: 'clear' });
    await Promise.all(stores.map((store) => store.close()));
    stores = [];
  });
  afterAll(() => standin.close());

  return {
    standin: () => standin,
    control: async (...commands) => {
      for (const command of commands) await standin.control(command);
    },
    open: async (storeOptions = {}) => {
      const store = await createEventStoreDbEventStore({
        url: standin.url,
        codec: contractCodec,
        clock: hurriedClock(),
        random: systemRandom,
        ...storeOptions,
      });
      stores.push(store);
      return store;
    },
  };
}
