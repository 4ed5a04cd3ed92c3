import { allProjections } from '../../../projections/all-projections.ts';
import type { BodyPart } from '../../../projections/bodies/bodies.ts';
import type { InstantsDocument } from '../../../projections/instants/instants.ts';
import type { OrgDocument } from '../../../projections/org/org.ts';
import type { ProductDocument } from '../../../projections/product/product.ts';
import type { ReleaseDocument } from '../../../projections/release-detail/release-detail.ts';
import type { FeedRow } from '../../../projections/release-feed/release-feed.ts';
import type { SourceDocument } from '../../../projections/source/source.ts';
import type { TokenDocument } from '../../../projections/tokens/tokens.ts';
import { createEmbeddedReadModels } from '../../../src/adapters/embedded/read-models/read-models.ts';
import type { DomainEvent, EventMetadata, RecordedEvent } from '../../../src/kernel/event.ts';
import type { Document } from '../../../src/kernel/projection.ts';
import type { ReadModel } from '../../../src/ports/read-models.ts';
import { foldBatch } from '../../../src/runtime/projector/fold-batch.ts';
import { createFakeClock } from '../fake-clock.ts';
import { createRecorder } from '../events/record-events.ts';
import { createTempFolder } from '../temp-folder.ts';

const leaseMs = 86_400_000;

/** Read models over the embedded adapter, filled by recording events; no event store in between. */
export const openProjectedRegistry = async (names: readonly string[] = allProjections.map(({ name }) => name)) => {
  const folder = createTempFolder();
  const readModels = await createEmbeddedReadModels({ folder: folder.path, clock: createFakeClock() });
  const recorder = createRecorder();
  const targets = await Promise.all(
    allProjections
      .filter(({ name }) => names.includes(name))
      .map(async (projection) => {
        const model = await readModels.open<Document>(projection);
        const lease = await model.leases.acquire('projector', 'test', leaseMs);
        if (lease === null) throw new Error(`no lease on ${projection.name}`);
        return { projection, model, lease };
      }),
  );

  const project = async (events: readonly RecordedEvent[]) => {
    const position = events.at(-1)?.position;
    if (position === undefined) return;
    for (const { projection, model, lease } of targets) {
      const known = events.filter(({ type }) => projection.on[type] !== undefined);
      const outcome = await model.write({ changes: await foldBatch(projection, model, known), position, lease });
      if (outcome !== 'written') throw new Error(`${projection.name}: ${outcome}`);
    }
  };

  const modelOf = <Doc extends Document>(name: string): ReadModel<Doc> => {
    const target = targets.find(({ projection }) => projection.name === name);
    if (target === undefined) throw new Error(`the read model ${name} was not opened`);
    return target.model as unknown as ReadModel<Doc>;
  };

  return {
    models: {
      get org() {
        return modelOf<OrgDocument>('org');
      },
      get product() {
        return modelOf<ProductDocument>('product');
      },
      get source() {
        return modelOf<SourceDocument>('source');
      },
      get instants() {
        return modelOf<InstantsDocument>('instants');
      },
      get releaseFeed() {
        return modelOf<FeedRow>('release-feed');
      },
      get releaseDetail() {
        return modelOf<ReleaseDocument>('release-detail');
      },
      get bodies() {
        return modelOf<BodyPart>('bodies');
      },
      get tokens() {
        return modelOf<TokenDocument>('tokens');
      },
    },
    record: async (stream: string, events: readonly DomainEvent[], metadata?: Partial<EventMetadata>) =>
      project(recorder.record(stream, events, metadata)),
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
