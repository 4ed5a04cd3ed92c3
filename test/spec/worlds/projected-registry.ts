import { allProjections } from '../../../projections/all-projections.ts';
import { createEmbeddedReadModels } from '../../../src/adapters/embedded/read-models/read-models.ts';
import type { DomainEvent, EventMetadata, RecordedEvent } from '../../../src/kernel/event.ts';
import type { Projection } from '../../../src/kernel/projection.ts';
import { foldBatch } from '../../../src/runtime/projector/fold-batch.ts';
import { createReadModelSet } from '../../../src/runtime/projector/read-model-set.ts';
import { createFakeClock } from '../fake-clock.ts';
import { createRecorder } from '../events/record-events.ts';
import { createTempFolder } from '../temp-folder.ts';

const leaseMs = 86_400_000;

/** Read models over the embedded adapter, filled by recording events; no event store in between. */
export const openProjectedRegistry = async (projections: readonly Projection[] = allProjections) => {
  const folder = createTempFolder();
  const readModels = await createEmbeddedReadModels({ folder: folder.path, clock: createFakeClock() });
  const recorder = createRecorder();
  const targets = await Promise.all(
    projections.map(async (projection) => {
      const model = await readModels.open(projection);
      const lease = await model.leases.acquire('projector', 'test', leaseMs);
      if (lease === null) throw new Error(`no lease on ${projection.name}`);
      return { projection, model, lease };
    }),
  );

  const project = async (events: readonly RecordedEvent[], into: readonly Projection[] = projections) => {
    const position = events.at(-1)?.position;
    if (position === undefined) return;
    for (const { projection, model, lease } of targets.filter((target) => into.includes(target.projection))) {
      const known = events.filter(({ type }) => projection.on[type] !== undefined);
      const outcome = await model.write({ changes: await foldBatch(projection, model, known), position, lease });
      if (outcome !== 'written') throw new Error(`${projection.name}: ${outcome}`);
    }
  };

  return {
    models: createReadModelSet(targets.map(({ model }) => model)),
    record: async (stream: string, events: readonly DomainEvent[], metadata?: Partial<EventMetadata>) =>
      project(recorder.record(stream, events, metadata)),
    /** As it is when some read models have seen an event and the others stand still. */
    recordOnlyIn: async (
      into: readonly Projection[],
      stream: string,
      events: readonly DomainEvent[],
      metadata?: Partial<EventMetadata>,
    ) => project(recorder.record(stream, events, metadata), into),
    /** Several streams in one batch, as a projector would take them. */
    recordMany: async (appends: readonly (readonly [stream: string, events: readonly DomainEvent[]])[]) =>
      project(appends.flatMap(([stream, events]) => recorder.record(stream, events))),
    close: async () => {
      await readModels.close();
      folder.remove();
    },
  };
};

export type ProjectedRegistry = Awaited<ReturnType<typeof openProjectedRegistry>>;
