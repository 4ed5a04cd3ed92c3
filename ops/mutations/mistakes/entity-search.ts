import type { Mistake } from '../mistake.ts';

const tree = 'src/catalogue/search/ranked-tree.ts';
const index = 'src/catalogue/search/name-index.ts';
const following = 'src/catalogue/search/entity-search.ts';
const collections = 'queries/search/collection-hits.ts';
const trees = 'test/catalogue/search/ranked-tree.test.ts';
const names = 'test/catalogue/search/name-index.test.ts';
const sections = 'test/queries/search/entity-sections.test.ts';

/** What is found by its name, in which order, and at what cost. */
export const entitySearchMistakes: readonly Mistake[] = [
  {
    name: 'named-all-opened-for-the-first',
    file: tree,
    text: 'if (at > from && at < to) put(bests[at]!, below[at]!);\n      else putWithin',
    replacement: 'putWithin',
    wrong: 'A search for one letter looks at every name that begins with it.',
    tests: [trees],
  },
  {
    name: 'named-whole-nodes-at-the-edges',
    file: tree,
    text: 'if (at > from && at < to) put',
    replacement: 'if (at >= from && at <= to) put',
    wrong: 'A search finds what comes before and after it in the alphabet.',
    tests: [trees, names],
  },
  {
    name: 'named-best-of-a-node-stays-when-it-goes',
    file: tree,
    text: 'if (bests[at] === entry) bests[at] = bestOf(below[at]!);',
    replacement: '',
    wrong: 'After an org is deleted, searches that met its name come in another order, or fail.',
    tests: [names],
  },
  {
    name: 'named-first-of-a-node-stays-when-another-comes',
    file: tree,
    text: 'firsts[at] = firstOf(below[at]!);\n    if (given === null) {',
    replacement: 'if (given === null) {',
    wrong: 'An org that comes first in the alphabet is not found.',
    tests: [trees, names],
  },
  {
    name: 'named-queue-takes-the-left',
    file: 'src/catalogue/search/best-first-queue.ts',
    text: 'const below = isRight ? left + 1 : left;',
    replacement: 'const below = left;',
    wrong: 'What is found comes in no order.',
    tests: [trees],
  },
  {
    name: 'named-entries-of-what-is-gone',
    file: index,
    text: 'eachEntry(number, entityKeys(namedOf(doc, category)), (tree, entry) => tree.remove(entry));',
    replacement: '',
    wrong: 'An org that was hidden is found, or another one under its name.',
    tests: [names],
  },
  {
    name: 'named-shown-as-it-was',
    file: index,
    text: 'placed[number] = { ...before, doc };',
    replacement: '',
    wrong: 'A search shows the avatar that an org had when it got its name.',
    tests: [sections],
  },
  {
    name: 'named-by-the-slug-that-it-had',
    file: index,
    text: '  a.slug === b.slug &&\n',
    replacement: '',
    wrong: 'An org is found by the slug that it gave up, and not by its new one.',
    tests: [names],
  },
  {
    name: 'named-a-run-of-words-is-no-word',
    file: 'src/search/entities/entity-keys.ts',
    text: 'for (let last = word + 1; last < edges.length; last += 1)',
    replacement: 'for (let last = word + 1; last <= word + 1; last += 1)',
    wrong: 'Whoever types the last two words of a name finds it behind all that only begin so.',
    tests: [names],
  },
  {
    name: 'named-sources-of-an-org-that-changed',
    file: following,
    text: '      for (const { id } of entities.sourcesOfOrg(orgId)) note(changedSources, id);\n',
    replacement: '',
    wrong: 'The sources of an org that was hidden are found.',
    tests: [sections],
  },
  {
    name: 'named-sources-of-a-product-that-changed',
    file: following,
    text: '    for (const { id } of entities.sourcesOfProduct(productId)) note(changedSources, id);\n',
    replacement: '',
    wrong: 'Sources are found by the category of a product that was hidden.',
    tests: [sections],
  },
  {
    name: 'named-collections-as-they-were',
    file: 'src/catalogue/catalogue.ts',
    text: '        search.collectionChanged(id);\n',
    replacement: '',
    wrong: 'A new collection is not found, and one that is gone makes a search fail.',
    tests: [sections],
  },
  {
    name: 'named-reach-of-a-short-page',
    file: 'queries/search/entity-sections.ts',
    text: 'const orgs = catalogue.orgsNamed(wanted, Math.max(limit, asked));',
    replacement: 'const orgs = catalogue.orgsNamed(wanted, limit);',
    wrong: 'With a smaller limit other collections are found, and not only fewer.',
    tests: [sections],
  },
  {
    name: 'named-collection-of-a-hidden-product',
    file: collections,
    text: 'shownProduct(catalogue, doc)?.id ?? null',
    replacement: 'doc.productId',
    wrong: 'A collection is found by a product that nobody may see in it.',
    tests: [sections],
  },
  {
    name: 'named-members-before-collections',
    file: collections,
    text: '[...direct, ...others]',
    replacement: '[...others, ...direct]',
    wrong: 'A collection that is called so comes behind those that have something of the name.',
    tests: [sections],
  },
  {
    name: 'named-collections-by-name-alone',
    file: collections,
    text: '.filter(({ doc }) => !isDirect.has(doc.id)).sort(byTier)',
    replacement: '.filter(({ doc }) => !isDirect.has(doc.id)).sort((a, b) => byName(a.doc, b.doc))',
    wrong: 'A collection with exactly what is looked for comes behind one with something that is a bit like it.',
    tests: [sections],
  },
  {
    name: 'hint-of-a-hidden-source',
    file: 'queries/search/lookup-hint.ts',
    text: 'found !== null && isSourceVisible(catalogue, found, sight) ? found : null',
    replacement: 'found',
    wrong: 'Anybody learns that a repository is tracked in secret.',
    tests: ['test/queries/search/lookup-hint.test.ts'],
  },
];
