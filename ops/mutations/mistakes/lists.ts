import type { Mistake } from '../mistake.ts';

/** Lists and pages that are kept while what they show changes. */
export const listMistakes: readonly Mistake[] = [
  {
    name: 'parts-of-an-org-that-changed-listed-as-before',
    file: 'src/catalogue/catalogue.ts',
    text: '        parts.orgChanged(id);\n',
    replacement: '',
    wrong: 'The sources of an org that was hidden or deleted stay in the list of sources.',
    tests: ['test/catalogue/lists/part-lists.test.ts'],
  },
  {
    name: 'sources-of-a-product-that-changed-listed-as-before',
    file: 'src/catalogue/lists/part-lists.ts',
    text: '      for (const { id } of entities.sourcesOfProduct(productId)) note(changedSources, id);\n',
    replacement: '',
    wrong: 'Sources are listed under the category of a product that was hidden.',
    tests: ['test/catalogue/lists/part-lists.test.ts'],
  },
  {
    name: 'piece-of-a-list-changed-in-place',
    file: 'src/catalogue/lists/sorted-list.ts',
    text: 'else pieces[number] = piece.toSpliced(at, 1);',
    replacement: 'else (piece as Item[]).splice(at, 1);',
    wrong: 'What was counted of a piece before an entity went is shown as the total ever after.',
    tests: ['test/catalogue/lists/faceted-list.test.ts'],
  },
  {
    name: 'releases-of-one-moment-in-no-order',
    file: 'src/catalogue/instants/source-instants.ts',
    text: ' || numbers[ofA + 3]! - numbers[ofB + 3]!',
    replacement: '',
    wrong: 'Of releases that came in one batch with one date, some are on two pages and some on none.',
    tests: ['test/catalogue/instants/known-releases.test.ts'],
  },
  {
    name: 'page-begins-with-the-last-of-the-one-before',
    file: 'queries/feed/numbered-page.ts',
    text: 'idStartOf(idOrder)]',
    replacement: '`${idStartOf(idOrder)}~`]',
    wrong: 'A release is shown on two pages.',
    tests: ['test/queries/feed/numbered-page.test.ts'],
  },
  {
    name: 'undated-releases-in-no-order',
    file: 'src/catalogue/instants/known-releases.ts',
    text: 'yield releaseAt(undated, at, false);',
    replacement: 'yield releaseAt(undated, undated.numbers.length / numbersEach - 1 - at, false);',
    wrong: 'Of releases without a date some are on two pages and some on none.',
    tests: ['test/queries/feed/numbered-page.test.ts'],
  },
  {
    name: 'version-kept-that-was-taken-back',
    file: 'projections/instants/instants.ts',
    text: 'revisedValue(given.version, version, null)',
    replacement: 'given.version ?? version',
    wrong: 'A source goes on showing a version that its release no longer has.',
    tests: ['test/projections/instants.test.ts'],
  },
];
