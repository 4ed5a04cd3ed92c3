import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedReadModels } from '../../../../src/adapters/embedded/read-models/read-models.ts';
import { systemClock } from '../../../../src/adapters/system/clock.ts';
import { type Change, deleteWhere, put, remove } from '../../../../src/kernel/projection.ts';
import type { ReadModels } from '../../../../src/ports/read-models.ts';
import { createSeeded } from '../../../spec/seeded.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

interface Note {
  readonly id: string;
  readonly lane: string;
  readonly text: string;
}

/** `SECRET-17-2.` stands wherever the second text of document 17 stands. */
const markPattern = /SECRET-\d+-\d+\./g;
const declaration = { name: 'notes', generation: 1, indexes: { byLane: ['lane'] } };

describe('the text of deleted and overwritten documents', () => {
  let folder: TempFolder;
  let models: ReadModels;
  beforeEach(async () => {
    folder = createTempFolder();
    models = await createEmbeddedReadModels({ folder: folder.path, clock: systemClock });
  });
  afterEach(async () => {
    await models.close();
    folder.remove();
  });

  const marksOnDisk = (): Set<string> => {
    const files = readdirSync(join(folder.path, 'read'));
    const texts = files.map((name) => readFileSync(join(folder.path, 'read', name), 'latin1'));
    return new Set(texts.flatMap((text) => text.match(markPattern) ?? []));
  };

  it('is in no file when a generation that was filled has its indexes', async () => {
    const model = await models.open<Note>(declaration, { fillingWith: [] });
    const lease = (await model.leases.acquire('feed', 'test', 60_000))!;
    const write = (position: number, change: Change<Note>) =>
      model.write({ changes: [{ ...change, position }], position, lease });
    await write(1, put<Note>({ id: 'note-1', lane: 'a', text: 'SECRET-1-1.' }));
    await write(2, remove('note-1'));
    expect([...marksOnDisk()]).toEqual(['SECRET-1-1.']);
    await model.completeIndexes();
    expect([...marksOnDisk()]).toEqual([]);
  });

  it.each([1, 2, 3])('is in no file after a scrub, whatever was written before (seed %i)', async (seed) => {
    const random = createSeeded(seed);
    const model = await models.open<Note>(declaration);
    const lease = (await model.leases.acquire('feed', 'test', 60_000))!;
    const live = new Map<string, { mark: string; lane: string }>();
    let position = 0;
    for (let round = 0; round < 40; round += 1) {
      position += 1;
      const changes = Array.from({ length: 40 }, () => {
        const id = `note-${random.int(1, 400)}`;
        if (live.has(id) && random.chance(40)) {
          live.delete(id);
          return { ...remove(id), position };
        }
        const mark = `SECRET-${id.slice(5)}-${position}.`;
        const lane = `lane-${random.int(1, 5)}`;
        live.set(id, { mark, lane });
        const chars = random.chance(3) ? random.int(1, 60_000) : random.int(1, 1_200);
        const text = mark.repeat(1 + Math.floor(chars / mark.length));
        return { ...put<Note>({ id, lane, text }), position };
      });
      const emptied = random.chance(20) ? `lane-${random.int(1, 5)}` : null;
      const emptying = emptied === null ? [] : [{ ...deleteWhere('byLane', { lane: emptied }), position }];
      for (const [id, { lane }] of live) if (lane === emptied) live.delete(id);
      await model.write({ changes: [...changes, ...emptying], position, lease });
      await models.scrub();
      expect(marksOnDisk()).toEqual(new Set(Array.from(live.values(), ({ mark }) => mark)));
    }
  });
});
