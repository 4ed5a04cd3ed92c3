import { createEmbeddedEventStore } from './adapters/embedded/event-store.ts';
import { createEmbeddedOperationalStore } from './adapters/embedded/operational-store.ts';
import { createEmbeddedReadModels } from './adapters/embedded/read-models.ts';
import { closeInTurn } from './close-in-turn.ts';
import { upcasters } from './domain/upcasters.ts';
import { createEventCodec } from './kernel/event-codec.ts';
import type { Clock } from './ports/clock.ts';
import type { EventStore } from './ports/event-store.ts';
import type { OperationalStore } from './ports/operational-store.ts';
import type { ReadModels } from './ports/read-models.ts';

export interface Stores {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly ops: OperationalStore;
  readonly close: () => Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  /** A writer thread died: the process must end. */
  readonly onFatal: (error: Error) => void;
}

/** For the projector's thread: it reads the events that the main thread's writer appends, and writes read models. */
export async function openProjectorStores({ dataDir, clock, onFatal }: EmbeddedOptions): Promise<Omit<Stores, 'ops'>> {
  const codec = createEventCodec(upcasters);
  const eventStore = await createEmbeddedEventStore({ folder: dataDir, codec, onFatal, readonly: true });
  const readModels = await createEmbeddedReadModels({ folder: dataDir, clock });
  return { eventStore, readModels, close: () => closeInTurn([readModels.close, eventStore.close]) };
}

/** Every port embedded: SQLite files in one data folder, no server. */
export async function openEmbeddedStores({ dataDir, clock, onFatal }: EmbeddedOptions): Promise<Stores> {
  const codec = createEventCodec(upcasters);
  const closers: (() => Promise<void>)[] = [];
  try {
    const eventStore = await createEmbeddedEventStore({ folder: dataDir, codec, onFatal });
    closers.unshift(eventStore.close);
    const readModels = await createEmbeddedReadModels({ folder: dataDir, clock });
    closers.unshift(readModels.close);
    const ops = await createEmbeddedOperationalStore({ folder: dataDir, clock, onFatal });
    closers.unshift(ops.close);
    return { eventStore, readModels, ops, close: () => closeInTurn(closers) };
  } catch (error) {
    await closeInTurn(closers);
    throw error;
  }
}
