import type { RecordedEvent } from '../../kernel/event.ts';
import type { Projection } from '../../kernel/projection.ts';
import { roughBytes } from '../../kernel/rough-bytes.ts';
import { batchBytesMax, type EventBatch } from '../../ports/event-store.ts';
import type { Lease } from '../../ports/leases.ts';
import type { NamedWrite, ReadModel } from '../../ports/read-models.ts';
import { LeaseLost } from '../resilience/held-leases.ts';
import { createDocumentLoader } from './document-loader.ts';
import { FoldFailure, foldBatch } from './fold-batch.ts';

/** One generation of one projection that is being fed. */
export interface ProjectionTarget {
  readonly projection: Projection;
  readonly generation: number;
  readonly model: ReadModel;
  readonly checkpoint: () => number;
  /** Whether the batch holds an event that its folds look at; if not, only its checkpoint moves. */
  readonly concerns: (batch: EventBatch) => boolean;
  /** Its checkpoint was moved past events that do not concern it. */
  readonly passedTo: (position: number) => void;
  /** Learns where it is from the store. */
  readonly lookAgain: () => Promise<void>;
  /** What the batch makes of it when one write holds it; null when it takes several. */
  readonly foldAtOnce: (batch: EventBatch) => Promise<NamedWrite | null>;
  /** Folds what lies behind its checkpoint and stores documents and checkpoint together, in as many steps as it takes. */
  readonly feed: (batch: EventBatch) => Promise<void>;
}

/** One transaction holds about as much as one batch: MongoDB's have a bound, and memory too. */
const writeBytesMax = batchBytesMax;

/** Events of one step: before it is known how large their documents are, and at the most. */
const firstStepEvents = 500;
const stepEventsMax = 4_000;

interface Step {
  readonly events: readonly RecordedEvent[];
  readonly position: number;
}

export async function createProjectionTarget(
  projection: Projection,
  model: ReadModel,
  lease: Lease,
): Promise<ProjectionTarget> {
  let checkpoint = await model.checkpoint();
  let stepEvents = firstStepEvents;
  const isOurs = (event: RecordedEvent) => event.position > checkpoint && projection.on[event.type] !== undefined;

  const loader = createDocumentLoader(projection, model);

  /** What lies before an event that cannot be folded is written all the same, so that the checkpoint tells which it is. */
  async function fold(step: Step) {
    try {
      const { events, documents } = await loader.load(step.events);
      return { events, changes: await foldBatch(projection, { get: async () => [...documents] }, events) };
    } catch (error) {
      if (error instanceof FoldFailure) {
        const before = step.events.filter(({ position }) => position < error.position);
        if (before.length > 0) await write({ events: before, position: before.at(-1)!.position });
      }
      throw error;
    }
  }

  async function write(step: Step): Promise<void> {
    const { events, changes } = await fold(step);
    const rest = step.events.slice(events.length);
    await store({ events, position: rest.length === 0 ? step.position : events.at(-1)!.position }, changes);
    if (rest.length > 0) await write({ events: rest, position: step.position });
  }

  async function store(step: Step, changes: Awaited<ReturnType<typeof foldBatch>>): Promise<void> {
    const { events, position } = step;
    const bytes = roughBytes(changes);
    loader.saw(changes.length, bytes);
    const bytesPerEvent = Math.max(1, bytes / Math.max(1, events.length));
    stepEvents = Math.max(1, Math.min(stepEventsMax, Math.floor(writeBytesMax / bytesPerEvent)));
    if (bytes > writeBytesMax && events.length > 1) return writeHalves(step);
    const outcome = await model.write({ changes, position, lease });
    if (outcome === 'too_large') {
      if (events.length > 1) return writeHalves(step);
      throw new Error(`what ${projection.name} makes of the event at ${position} is too large for its store`);
    }
    if (outcome === 'stale_lease') throw new LeaseLost(projection.name);
    checkpoint = outcome === 'behind' ? await model.checkpoint() : position;
  }

  async function writeHalves({ events, position }: Step): Promise<void> {
    const half = Math.ceil(events.length / 2);
    const first = events.slice(0, half);
    await write({ events: first, position: first.at(-1)!.position });
    await write({ events: events.slice(half), position });
  }

  async function foldAtOnce(batch: EventBatch): Promise<NamedWrite | null> {
    const events = batch.events.filter(isOurs);
    if (events.length > stepEvents) return null;
    const loaded = await loader.load(events);
    if (loaded.events.length < events.length) return null;
    const changes = await foldBatch(projection, { get: async () => [...loaded.documents] }, events);
    const { name, generation } = model.declaration;
    return { name, generation, changes, position: batch.position, lease };
  }

  return {
    projection,
    foldAtOnce,
    generation: model.declaration.generation,
    model,
    checkpoint: () => checkpoint,
    concerns: (batch) => batch.events.some(isOurs),
    passedTo: (position) => {
      checkpoint = Math.max(checkpoint, position);
    },
    lookAgain: async () => {
      checkpoint = await model.checkpoint();
    },
    feed: async (batch) => {
      if (batch.position <= checkpoint) return;
      let rest = batch.events.filter(isOurs);
      do {
        const events = rest.slice(0, stepEvents);
        rest = rest.slice(events.length);
        await write({ events, position: rest.length === 0 ? batch.position : events.at(-1)!.position });
      } while (rest.length > 0);
    },
  };
}
