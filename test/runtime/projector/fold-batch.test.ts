import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedReadModels } from '../../../src/adapters/embedded/read-models/read-models.ts';
import type { DomainEvent, RecordedEvent } from '../../../src/kernel/event.ts';
import {
  type Change,
  defineProjection,
  deleteWhere,
  type Document,
  makesOne,
  one,
  patchWhere,
  removesOne,
} from '../../../src/kernel/projection.ts';
import type { ReadModel, ReadModels } from '../../../src/ports/read-models.ts';
import { FoldFailure, foldBatch } from '../../../src/runtime/projector/fold-batch.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { documentsOf } from '../../spec/worlds/read-model-documents.ts';
import { createRecorder } from '../../spec/events/record-events.ts';
import { createSeeded } from '../../spec/seeded.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';

interface Box extends Document {
  readonly room: string;
  readonly things: readonly string[];
}

type BoxEvent =
  | DomainEvent<'Filled', { room: string; thing: string }>
  | DomainEvent<'Thrown', object>
  | DomainEvent<'Lost', object>
  | DomainEvent<'Delivered', { room: string }>
  | DomainEvent<'RoomRenamed', { from: string; to: string }>
  | DomainEvent<'RoomCleared', { room: string }>
  | DomainEvent<'Broken', object>;

const boxes = defineProjection<Box, BoxEvent>({
  name: 'boxes',
  generation: 1,
  indexes: { byRoom: ['room'] },
  patchIndexes: ['byRoom'],
  on: {
    Filled: one((box, { data, stream }) => ({
      id: stream.id,
      room: box?.room ?? data.room,
      things: [...(box?.things ?? []), data.thing],
    })),
    Thrown: one((box) => box && null),
    Lost: removesOne(),
    Delivered: makesOne(({ data, stream }) =>
      data.room === 'street' ? undefined : { id: stream.id, room: data.room, things: [] },
    ),
    RoomRenamed: {
      load: () => [],
      fold: (_, { data }) => [patchWhere<Box>('byRoom', { room: data.from }, { room: data.to })],
    },
    RoomCleared: { load: () => [], fold: (_, { data }) => [deleteWhere('byRoom', { room: data.room })] },
    Broken: {
      load: () => [],
      fold: (): Change<Box>[] => {
        throw new Error('cannot fold this');
      },
    },
  },
});

const filled = (thing: string, room = 'hall'): BoxEvent => ({ type: 'Filled', data: { room, thing } });
const thrown: BoxEvent = { type: 'Thrown', data: {} };
const lost: BoxEvent = { type: 'Lost', data: {} };
const delivered = (room: string): BoxEvent => ({ type: 'Delivered', data: { room } });
const renamed = (from: string, to: string): BoxEvent => ({ type: 'RoomRenamed', data: { from, to } });
const cleared = (room: string): BoxEvent => ({ type: 'RoomCleared', data: { room } });

const empty: Pick<ReadModel, 'get'> = { get: async () => [] };
const holding = (...docs: Box[]): Pick<ReadModel, 'get'> => ({
  get: async (ids) => docs.filter(({ id }) => ids.includes(id)),
});

type Step = readonly [box: string, event: BoxEvent];

const recorded = (...steps: readonly Step[]): RecordedEvent[] => {
  const recorder = createRecorder();
  return steps.flatMap(([box, event]) => recorder.record(`box-${box}`, [event]));
};

const changesOf = (model: Pick<ReadModel, 'get'>, ...steps: readonly Step[]) =>
  foldBatch(boxes, model, recorded(...steps));

describe('folding a batch', () => {
  it('shows later events what earlier ones did, on top of what is stored', async () => {
    const stored = holding({ id: 'a', room: 'attic', things: ['old'] });
    expect(await changesOf(stored, ['a', filled('one')], ['b', filled('two')], ['a', filled('three')])).toEqual([
      { kind: 'put', doc: { id: 'a', room: 'attic', things: ['old', 'one', 'three'] }, position: 30 },
      { kind: 'put', doc: { id: 'b', room: 'hall', things: ['two'] }, position: 20 },
    ]);
  });

  it('writes a document once that changed many times, as of its last change', async () => {
    const steps = Array.from({ length: 100 }, (_, index) => ['a', filled(String(index))] as const);
    const changes = await changesOf(empty, ...steps);
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ kind: 'put', position: 1_000 });
  });

  it('deletes what was put before, and puts anew what was deleted before', async () => {
    expect(await changesOf(empty, ['a', filled('one')], ['a', thrown])).toEqual([
      { kind: 'delete', id: 'a', position: 20 },
    ]);
    expect(
      await changesOf(holding({ id: 'a', room: 'hall', things: ['old'] }), ['a', thrown], ['a', filled('new')]),
    ).toEqual([{ kind: 'put', doc: { id: 'a', room: 'hall', things: ['new'] }, position: 20 }]);
  });

  it('reads no document only to delete it', async () => {
    const unread = { get: () => Promise.reject(new Error('it was read')) };
    expect(await changesOf(unread, ['a', lost], ['b', lost])).toEqual([
      { kind: 'delete', id: 'a', position: 10 },
      { kind: 'delete', id: 'b', position: 20 },
    ]);
    const stored = holding({ id: 'a', room: 'hall', things: ['old'] });
    expect(await changesOf(stored, ['a', filled('one')], ['a', lost], ['a', filled('new')])).toEqual([
      { kind: 'put', doc: { id: 'a', room: 'hall', things: ['new'] }, position: 30 },
    ]);
  });

  it('reads no document only to make it anew, and later events see what was made', async () => {
    const unread = { get: () => Promise.reject(new Error('it was read')) };
    expect(await changesOf(unread, ['a', delivered('hall')], ['b', delivered('street')])).toEqual([
      { kind: 'put', doc: { id: 'a', room: 'hall', things: [] }, position: 10 },
    ]);
    const stored = holding({ id: 'a', room: 'attic', things: ['old'] });
    expect(await changesOf(stored, ['a', delivered('hall')], ['a', filled('new')])).toEqual([
      { kind: 'put', doc: { id: 'a', room: 'hall', things: ['new'] }, position: 20 },
    ]);
  });

  it('keeps changes by index in their place, and later events see them', async () => {
    const changes = await changesOf(
      empty,
      ['a', filled('one')],
      ['x', renamed('hall', 'attic')],
      ['a', filled('two')],
      ['x', cleared('attic')],
      ['a', filled('three')],
    );
    expect(changes).toEqual([
      { kind: 'put', doc: { id: 'a', room: 'hall', things: ['one'] }, position: 10 },
      { kind: 'patchWhere', index: 'byRoom', equals: { room: 'hall' }, set: { room: 'attic' }, position: 20 },
      { kind: 'put', doc: { id: 'a', room: 'attic', things: ['one', 'two'] }, position: 30 },
      { kind: 'deleteWhere', index: 'byRoom', equals: { room: 'attic' }, position: 40 },
      { kind: 'put', doc: { id: 'a', room: 'hall', things: ['three'] }, position: 50 },
    ]);
  });

  it('asks the store once for all that the batch needs, and not at all for nothing', async () => {
    const asked: (readonly string[])[] = [];
    const model: Pick<ReadModel, 'get'> = {
      get: async (ids) => {
        asked.push(ids);
        return [];
      },
    };
    await changesOf(model, ['a', filled('one')], ['b', filled('two')], ['a', thrown]);
    await changesOf(model, ['x', cleared('hall')]);
    expect(asked).toEqual([['a', 'b']]);
  });

  it('says at which event of which stream a fold threw', async () => {
    const failing = changesOf(empty, ['a', filled('one')], ['b', { type: 'Broken', data: {} }]);
    await expect(failing).rejects.toBeInstanceOf(FoldFailure);
    await expect(failing).rejects.toMatchObject({
      position: 20,
      message: 'boxes stopped at position 20 (Broken in box-b): cannot fold this',
      cause: new Error('cannot fold this'),
    });
  });
});

describe('batches over a store', () => {
  let folder: TempFolder;
  let readModels: ReadModels;

  beforeEach(async () => {
    folder = createTempFolder();
    readModels = await createEmbeddedReadModels({ folder: folder.path, clock: createFakeClock() });
  });

  afterEach(async () => {
    await readModels.close();
    folder.remove();
  });

  const project = async (generation: number, events: readonly RecordedEvent[], sizes: () => number) => {
    const model = await readModels.open({ ...boxes, generation });
    const lease = (await model.leases.acquire('feed', 'test', 60_000))!;
    for (let start = 0; start < events.length; ) {
      const batch = events.slice(start, start + sizes());
      start += batch.length;
      const changes = await foldBatch(boxes, model, batch);
      expect(await model.write({ changes, position: batch.at(-1)!.position, lease })).toBe('written');
    }
    return documentsOf(model);
  };

  it.each([1, 2, 3, 4, 5])('give the same documents however the events are cut (seed %i)', async (seed) => {
    const random = createSeeded(seed);
    const rooms = ['hall', 'attic', 'cellar'];
    const boxNames = ['a', 'b', 'c', 'd', 'e', 'f'];
    const steps = Array.from({ length: 300 }, (_, index) => {
      const event = random.pick([
        () => filled(String(index), random.pick(rooms)),
        () => filled(String(index), random.pick(rooms)),
        () => thrown,
        () => renamed(random.pick(rooms), random.pick(rooms)),
        () => cleared(random.pick(rooms)),
      ])();
      return [random.pick(boxNames), event] as const;
    });
    const events = recorded(...steps);
    const oneByOne = await project(1, events, () => 1);
    expect(await project(2, events, () => events.length)).toEqual(oneByOne);
    expect(await project(3, events, () => random.int(1, 20))).toEqual(oneByOne);
  });
});
