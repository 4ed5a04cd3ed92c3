import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eraseRelease } from '../../../../commands/release/erase-release.ts';
import { releaseFeedProjection } from '../../../../projections/release-feed/release-feed.ts';
import { systemClock } from '../../../../src/adapters/system/clock.ts';
import type { RecordedEvent } from '../../../../src/kernel/event.ts';
import { type Document, type Projection, put } from '../../../../src/kernel/projection.ts';
import { StartupError } from '../../../../src/kernel/startup-error.ts';
import type { ReadModels, ReadModelWrite } from '../../../../src/ports/read-models.ts';
import { type Erasure, eraseTexts } from '../../../../src/runtime/jobs/erase-texts.ts';
import { fillGenerations } from '../../../../src/runtime/projector/filling/fill-generations.ts';
import { rebuildProjection } from '../../../../src/runtime/projector/rebuild.ts';
import { verifyGenerations } from '../../../../src/runtime/projector/filling/verify-generations.ts';
import { createTestRunners, requestOf } from '../../../spec/worlds/embedded-registry.ts';
import { buildSmallWorld } from '../../../spec/worlds/small-world.ts';
import { namesProjection, opening, openProjectionWorld, type ProjectionWorld } from '../projection-world.ts';

let world: ProjectionWorld;

beforeEach(async () => {
  world = await openProjectionWorld();
});

afterEach(() => world.close());

const names = namesProjection('names');

const depsOf = (readModels: ReadModels = world.readModels) => ({
  store: world.store,
  readModels,
  clock: systemClock,
  holder: 'test',
});

type Put = Extract<ReadModelWrite<Document>['changes'][number], { kind: 'put' }>;

/** Read models that do something else with one document than they are told. */
const spoiling = (name: string, spoiled: (change: Put) => readonly Put[]): ReadModels =>
  opening(world.readModels, (model) => ({
    write: (write) =>
      model.write({
        ...write,
        changes: write.changes.flatMap((change): readonly (typeof change)[] =>
          change.kind === 'put' && 'name' in change.doc && change.doc.name === name ? spoiled(change) : [change],
        ),
      }),
  }));

const withDoc = (change: Put, fields: object): Put => ({ ...change, doc: { ...change.doc, ...fields } });

describe('a generation that is filled', () => {
  it.each<[string, (change: Put) => readonly Put[]]>([
    ['loses a document', () => []],
    ['changes a document', (change) => [withDoc(change, { text: 'another' })]],
    ['makes a document of its own', (change) => [change, withDoc(change, { id: 'org_own' })]],
  ])('does not go live where its store %s, and the old one goes on', async (_, spoiled) => {
    await world.createOrgs(5);
    await fillGenerations([names], depsOf());
    const before = await world.readModels.pointers();
    const [outcome] = await fillGenerations([names], depsOf(spoiling('Org 3', spoiled)));
    expect(outcome).toMatchObject({ name: 'names', kind: 'differs' });
    const sentence = outcome?.kind === 'differs' ? outcome.sentence : '';
    expect(sentence).toMatch(
      /^Generation 1001 of names is not what the events say, .*: 1 differ where [456] documents were compared, first org_\w+$/,
    );
    expect(await world.readModels.pointers()).toEqual(before);
    expect(await world.namesIn(names)).toBe(5);

    expect(await fillGenerations([names], depsOf())).toMatchObject([{ kind: 'live' }]); // begun anew, not gone on with
    expect(await world.namesIn(names)).toBe(5);
  });

  it('ends a rebuild with one sentence for the operator', async () => {
    await world.createOrgs(2);
    const rebuilding = rebuildProjection(names, depsOf(spoiling('Org 1', () => [])));
    await expect(rebuilding).rejects.toThrow(StartupError);
  });

  it('keeps the others of its rollout from going live', async () => {
    await world.createOrgs(3);
    await fillGenerations([namesProjection('a'), namesProjection('b')], depsOf());
    const before = await world.readModels.pointers();
    const young = [namesProjection('a', { generation: 2, textLength: 9 }), namesProjection('b', { generation: 2 })];
    const readModels = spoiling('Org 1', (change) => ('text' in change.doc && change.doc.text ? [] : [change]));
    const outcomes = await fillGenerations(young, depsOf(readModels));
    expect(outcomes.map(({ name, kind }) => [name, kind])).toEqual([
      ['a', 'differs'],
      ['b', 'waiting'],
    ]);
    expect(await world.readModels.pointers()).toEqual(before);
  });

  it('is not suspected because an erasure took events from the log meanwhile', async () => {
    const runners = createTestRunners(world.store, systemClock);
    const { releaseIds } = await buildSmallWorld(runners, 'Acme', 1);
    let requests = 50;
    const erase = async (releaseId: string): Promise<void> => {
      const { position } = await runners.commands.run(eraseRelease, { releaseId }, requestOf((requests += 1)));
      const { events } = await world.store.readAll({ afterPosition: position - 1, limit: 1 });
      await eraseTexts(world.store, [events[0] as Erasure]);
    };
    // One in each round, however many there are.
    const readModels = opening(world.readModels, (model) => ({
      scanTexts: async (...given) => {
        const found = await model.scanTexts(...given);
        if (releaseIds.length > 0) await erase(releaseIds.pop()!);
        return found;
      },
    }));
    const [outcome] = await fillGenerations([releaseFeedProjection], depsOf(readModels));
    expect(outcome).toMatchObject({ kind: 'live', verified: { differing: [] } });
  });

  it('is suspected of what no erasure has touched', async () => {
    await world.createOrgs(3);
    const readModels = opening(
      spoiling('Org 1', () => []),
      (model) => ({
        scanTexts: async (...given) => {
          await world.createOrgs(1); // there is always something newer
          return model.scanTexts(...given);
        },
      }),
    );
    const [outcome] = await fillGenerations([names], depsOf(readModels));
    expect(outcome).toMatchObject({ kind: 'differs' });
  });

  it('goes live with what was written while it was verified', async () => {
    await world.createOrgs(3);
    let isWritten = false;
    const readModels = opening(world.readModels, (model) => ({
      scanTexts: async (...given) => {
        if (!isWritten) await world.createOrgs(2);
        isWritten = true;
        return model.scanTexts(...given);
      },
    }));
    const [outcome] = await fillGenerations([names], depsOf(readModels));
    expect(outcome).toMatchObject({ kind: 'live', verified: { documents: 3, compared: 3 } });
    expect(await world.namesIn(names)).toBe(5);
  });
});

describe('a second fold', () => {
  const bytesOfAll = 1_000_000;

  /** As the folds of several read models are verified together. */
  const verifyAll = async (
    projections: readonly Projection[],
    { readModels = world.readModels, ...bounds }: { readModels?: ReadModels; documentsMax?: number; bytesMax?: number },
  ) => {
    await fillGenerations(projections, depsOf());
    const pointers = await world.readModels.pointers();
    const filled = await Promise.all(
      projections.map(async (projection) => {
        const model = await readModels.open({ ...projection, generation: pointers[projection.name]! });
        return { projection, model, position: await model.checkpoint() };
      }),
    );
    let passes = 0;
    const results = await verifyGenerations(filled, {
      store: {
        readAll: (options) => {
          if (options.afterPosition === 0) passes += 1;
          return world.store.readAll(options);
        },
      },
      pace: { eventsAtOnce: () => 7, giveWay: async () => undefined },
      over: new AbortController().signal,
      onProgress: () => undefined,
      bounds: { documentsMax: 100, bytesMax: bytesOfAll, ...bounds },
    });
    const verified = projections.map(({ name }) => {
      const result = results.get(name)!;
      if (result instanceof Error) throw result;
      return result;
    });
    return { verified, passes };
  };

  it('takes a sample of the keys where there are too many documents', async () => {
    await world.createOrgs(40);
    const { verified } = await verifyAll([names], { documentsMax: 20 });
    expect(verified).toMatchObject([{ documents: 40, differing: [] }]);
    expect(verified[0]!.compared).toBeGreaterThan(0);
    expect(verified[0]!.compared).toBeLessThanOrEqual(20);
  });

  it('reads the log once, however many read models there are and however large', async () => {
    await world.createOrgs(40);
    const large = Array.from({ length: 4 }, (_, index) => namesProjection(`large-${index}`, { textLength: 1_000 }));
    const { verified, passes } = await verifyAll([...large, names], { bytesMax: 70_000 });
    expect(passes).toBe(1);
    expect(verified.at(-1)).toEqual({ documents: 40, compared: 40, differing: [] }); // a small one stays whole
    for (const { compared, differing } of verified.slice(0, -1)) {
      expect(differing).toEqual([]);
      expect(compared).toBeGreaterThan(0);
      expect(compared).toBeLessThan(40);
    }
  });

  it('holds no more than it may, also where the store has lost most of its documents', async () => {
    await world.createOrgs(40);
    const emptied = opening(world.readModels, () => ({ scanTexts: async () => [] }));
    const { verified, passes } = await verifyAll([names], { readModels: emptied, bytesMax: 1_000 });
    expect(passes).toBe(1);
    expect(verified).toMatchObject([{ documents: 0, compared: 0 }]);
    expect(verified[0]!.differing.length).toBeGreaterThan(0);
    expect(verified[0]!.differing.length).toBeLessThan(40);
  });

  it('keeps a digest of a document that no fold reads, so that long texts are all compared', async () => {
    await world.createOrgs(40);
    const entry = {
      load: () => [],
      fold: (_: unknown, { stream }: RecordedEvent) => [put({ id: stream.id, text: 'x'.repeat(1_000) })],
    };
    const on = { 'OrgCreated.v1': entry };
    const blind: Projection = { name: 'texts', generation: 1, indexes: {}, readsNoDocument: true, on };
    const { verified } = await verifyAll([blind], { bytesMax: 20_000 });
    expect(verified).toEqual([{ documents: 40, compared: 40, differing: [] }]);
  });

  it('refuses a read model that declares to read no document and does', async () => {
    await world.createOrgs(1);
    const [outcome] = await fillGenerations([{ ...names, readsNoDocument: true }], depsOf());
    const cause = { message: 'names reads documents, though it declares that it does not' };
    expect(outcome).toMatchObject({ kind: 'failed', error: { cause } });
  });
});
