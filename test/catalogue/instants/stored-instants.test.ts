import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InstantsDocument, placeOf } from '../../../projections/instants/instants-document.ts';
import { instantsProjection } from '../../../projections/instants/instants.ts';
import { createEmbeddedReadModels } from '../../../src/adapters/embedded/read-models/read-models.ts';
import { readInstants } from '../../../src/catalogue/instants/stored-instants.ts';
import { releaseCount } from '../../../src/catalogue/numbers.ts';
import { put } from '../../../src/kernel/projection.ts';
import { createReadModelSet } from '../../../src/runtime/projector/read-model-set.ts';
import type { ReadModel, ReadModels } from '../../../src/ports/read-models.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';

const clock = createFakeClock();
const sources = 300;
const monthsOfOne = 450;

/** One release in each of its months, the undated last. */
const documentsOf = (sourceId: string, months: number): InstantsDocument[] =>
  Array.from({ length: months }, (_, month) => {
    const publishedMs = month === 0 ? null : Date.UTC(1985, month, 1);
    const publishedAt = publishedMs === null ? null : new Date(publishedMs).toISOString();
    const releaseId = `rel_${sourceId}${month}`;
    const id = placeOf(sourceId, releaseId, publishedAt);
    const release = [releaseId, publishedMs, 0, clock.nowMs(), 0, null, `${month}.0.0`] as const;
    return { id, sourceId, month: publishedAt?.slice(0, 7) ?? '-', releases: [release] };
  });

const sourceIdOf = (number: number): string => `src_${String(number).padStart(4, '0')}`;
const longOne = 150;

describe('the instants of one source', () => {
  let folder: TempFolder;
  let readModels: ReadModels;
  let model: ReadModel<InstantsDocument>;
  let rowsRead: number;

  const countOf = async (number: number): Promise<number> => {
    rowsRead = 0;
    const scan: typeof model.scan = async (...range) => {
      const rows = await model.scan(...range);
      rowsRead += rows.length;
      return rows;
    };
    const models = createReadModelSet([{ ...model, scan }]);
    return releaseCount([await readInstants(models, sourceIdOf(number))], clock.nowMs());
  };

  beforeAll(async () => {
    folder = createTempFolder();
    readModels = await createEmbeddedReadModels({ folder: folder.path, clock });
    model = await readModels.open(instantsProjection);
    const lease = (await model.leases.acquire('feed', 'test', 1_000_000))!;
    const all = Array.from({ length: sources }, (_, number) =>
      documentsOf(sourceIdOf(number), number === longOne ? monthsOfOne : 1),
    ).flat();
    const changes = all.map((doc) => ({ ...put(doc), position: 1 }));
    expect(await model.write({ changes, position: 1, lease })).toBe('written');
  });
  afterAll(async () => {
    await readModels.close();
    folder.remove();
  });

  it('are read without those of others, of whom there may be thousands', async () => {
    expect(await countOf(0)).toBe(1);
    expect(rowsRead).toBeLessThanOrEqual(4);
  });

  it('are all read, however many they are, in about as many rows', async () => {
    expect(await countOf(longOne)).toBe(monthsOfOne);
    expect(rowsRead).toBeLessThan(2 * monthsOfOne);
  });
});
