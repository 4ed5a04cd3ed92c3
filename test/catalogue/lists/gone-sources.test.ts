import { expect, it } from 'vitest';
import type { InstantsDocument } from '../../../projections/instants/instants-document.ts';
import { createEntities } from '../../../src/catalogue/entities.ts';
import { createInstantsBySource } from '../../../src/catalogue/instants/instants-by-source.ts';
import { noInstants } from '../../../src/catalogue/instants/source-instants.ts';
import { createListings } from '../../../src/catalogue/lists/listings.ts';

const month: InstantsDocument = {
  id: 'src_gone:2026-01:a',
  sourceId: 'src_gone',
  month: '2026-01',
  releases: [['rel_a', Date.UTC(2026, 0, 5), 0, 5, 0, null, '1.0.0']],
};

it('brings in that the releases of a source are gone which is gone itself: nobody else would ever look', () => {
  const instants = createInstantsBySource();
  const lookedAt: unknown[] = [];
  const listings = createListings(createEntities().reads, (sourceId) => {
    const found = instants.instantsOf(sourceId);
    lookedAt.push(found);
    return found;
  });
  instants.apply(month);
  instants.instantsOf('src_gone');
  instants.remove(month.id);
  listings.sourceChanged('src_gone');
  listings.reads.orgs();
  expect(lookedAt).toEqual([noInstants]);
});
