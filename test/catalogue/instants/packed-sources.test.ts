import { expect, it } from 'vitest';
import { type Instant, type InstantsDocument, placeOf } from '../../../projections/instants/instants-document.ts';
import { addChange, noChanges } from '../../../src/catalogue/instants/changed-releases.ts';
import { createInstantsBySource } from '../../../src/catalogue/instants/instants-by-source.ts';
import { packSources } from '../../../src/catalogue/instants/packed-sources.ts';
import { noInstants } from '../../../src/catalogue/instants/source-instants.ts';
import { derivedId } from '../../../src/kernel/ids.ts';
import { createSeeded } from '../../spec/seeded.ts';
import { seedsToRun } from '../../spec/seeds.ts';

it.each(seedsToRun(5))('sources that were packed are known as if each document had been told (seed %i)', (seed) => {
  const { int, chance } = createSeeded(seed);
  let lastId = 0;
  const releaseOf = (isDated: boolean): Instant => {
    const id = derivedId('rel', String(++lastId));
    const publishedMs = isDated ? Date.UTC(2025, int(0, 14), int(1, 28)) : null;
    return [id, publishedMs, chance(10) ? int(0, 7) : 0, int(1, 9), 0, int(1, 5), chance(50) ? `1.0.${lastId}` : null];
  };
  const documentsOf = (sourceId: string, count: number): InstantsDocument[] => {
    const byPlace = new Map<string, Instant[]>();
    for (let release = 0; release < count; release += 1) {
      const instant = releaseOf(!chance(30));
      const publishedAt = instant[1] === null ? null : new Date(instant[1]).toISOString();
      const place = placeOf(sourceId, instant[0], publishedAt);
      byPlace.set(place, [...(byPlace.get(place) ?? []), instant]);
    }
    return [...byPlace].map(([id, releases]) => ({ id, sourceId, month: id.split(':')[1]!, releases }));
  };

  const told = createInstantsBySource();
  const packed = createInstantsBySource();
  const sources = ['one', 'few', 'many', 'down'].map((sourceId, nth) => {
    const documents = documentsOf(sourceId, [1, 30, 1_300, 1][nth]!);
    const changes = noChanges();
    // One that is written while all are read may be told as it was and as it is.
    const again = documents.filter(() => chance(5)).map((doc) => ({ ...doc, releases: doc.releases.slice(1) }));
    for (const doc of [...documents, ...again]) {
      const suppressed = ([id, ms, , ...rest]: Instant): Instant => [id, ms, 4, ...rest];
      const releases = sourceId === 'down' ? doc.releases.map(suppressed) : doc.releases;
      addChange(changes, doc.id, releases);
      told.apply({ ...doc, releases });
    }
    return [sourceId, changes] as const;
  });
  for (const some of [sources.slice(0, 3), sources.slice(3)]) packed.addLoaded(structuredClone(packSources(some)));
  for (const [sourceId] of sources) expect(packed.instantsOf(sourceId), sourceId).toEqual(told.instantsOf(sourceId));
  expect(packed.instantsOf('down'), 'nothing that anybody sees').toBe(noInstants);
  expect(packed.instantsOf('unknown')).toBe(noInstants);
});
