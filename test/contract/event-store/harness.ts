import { createEventCodec, type Upcaster } from '../../../src/kernel/event-codec.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';

/** A process that appends without end (`appendForever`) until it is killed. */
export interface SpawnedWriter {
  /** Ids of the events whose append was acknowledged to that process, as far as it has told. */
  readonly acknowledged: () => readonly string[];
  /** SIGKILL; resolves when the process is gone. */
  readonly kill: () => Promise<void>;
  /** A store of this process over what the killed one has left. */
  readonly reopen: () => Promise<EventStore>;
}

export interface EventStoreHarness {
  /** A store over an empty back end, with `contractCodec`. */
  readonly make: () => Promise<EventStore>;
  /** Two stores over one empty back end. */
  readonly makeTwoOnOneBackend: () => Promise<[EventStore, EventStore]>;
  /** Until what was written can be seen by every reader. */
  readonly settle: () => Promise<void>;
  /** Cuts what lies between the adapter and its store. */
  readonly interrupt: (store: EventStore) => Promise<void>;
  readonly spawnWriter: () => Promise<SpawnedWriter>;
  /** Closes all that was made and forgets its data; the harness can be used again. */
  readonly close: () => Promise<void>;
}

const rename: Upcaster = {
  from: 'ThingNamed.v1',
  to: 'ThingNamed.v2',
  upcast: ({ name }: { name: string }) => ({ names: [name] }),
};

/** Every store of the suite decodes with it: `ThingNamed.v1` has become `ThingNamed.v2`. */
export const contractCodec = createEventCodec([rename]);
