import type { Mistake } from '../mistake.ts';

const commands = 'commands/release';
const races = 'test/use-cases/coverage-races.test.ts';

/** Releases that are taken down or cover others: one level deep, whoever writes, and back as they were. */
export const releaseMistakes: readonly Mistake[] = [
  {
    name: 'coverage-claimed-on-the-coverage-side',
    file: `${commands}/claim-coverage.ts`,
    text: "if (state.coverage.link !== null) throw coverageConflict('coverage-side', id);",
    replacement: '',
    wrong: 'Two releases cover each other, and both are gone from every feed.',
    tests: [races],
  },
  {
    name: 'coverage-linked-past-an-open-claim',
    file: `${commands}/link-coverage.ts`,
    text: "if (fates.open.length > 0) return { events: [], result: { coverageId, outcome: 'claimed', open: fates.open } };",
    replacement: '',
    wrong: 'A writer that was slow between claim and link makes coverage of coverage.',
    tests: [races],
  },
  {
    name: 'coverage-linked-by-a-lost-claim',
    file: `${commands}/link-coverage.ts`,
    text: "if (claim <= (settled[canonicalId] ?? 0)) return without('forfeited');",
    replacement: '',
    wrong: 'A link is made that its canonical does not know of, which may then become coverage itself.',
    tests: [races],
  },
  {
    name: 'coverage-claim-forgotten-while-it-is-open',
    file: `${commands}/release-claims.ts`,
    text: 'claimsByFate(id, claimsOf(state), facts).over.map(',
    replacement: 'claimsOf(state).map(',
    wrong: 'A link is made of a claim that its canonical has forgotten.',
    tests: [races],
  },
  {
    name: 'coverage-claims-not-settled-by-unlinking',
    file: 'src/domain/release/coverage/state.ts',
    text: 'return { ...state, link: null, settled: settle(state, data) };',
    replacement: 'return { ...state, link: null };',
    wrong: 'What was unlinked is linked again by a late repeat, and for a minute its canonical cannot become coverage.',
    tests: ['test/commands/release/coverage.test.ts'],
  },
  {
    name: 'release-erased-while-it-is-claimed',
    file: `${commands}/erase-release.ts`,
    text: "if (linked.length + open.length > 0) throw coverageConflict('canonical', id);",
    replacement: '',
    wrong: 'A release covers one that is gone, and nobody finds it in a feed any more.',
    tests: [races],
  },
  {
    name: 'suppressed-release-brought-back-by-ingest',
    file: `${commands}/ingest-releases.ts`,
    text: "if (state.status === 'erased' || isSuppressed)",
    replacement: "if (state.status === 'erased' && !isSuppressed)",
    wrong: 'The next fetch revises what was taken down.',
    tests: ['test/commands/release/ingest-releases.test.ts'],
  },
  {
    name: 'suppressed-release-announced-on-its-date',
    file: 'src/domain/release/announce.ts',
    text: 'if (isNews(release) && areParentsVisible(context.parents))',
    replacement: 'if (areParentsVisible(context.parents))',
    wrong: 'Receivers are told of a release that was taken down or only covers another one.',
    tests: ['test/commands/release/date-release.test.ts'],
  },
  {
    name: 'unsuppressed-release-not-counted',
    file: 'projections/instants/instants.ts',
    text: "'ReleaseUnsuppressed.v1': relaned(laneBits.suppressed, false),",
    replacement: '',
    wrong: 'A release that was brought back is in feeds and in no number.',
    tests: ['test/projections/instants.test.ts'],
  },
  {
    name: 'suppressed-release-shown-after-a-revision',
    file: 'projections/release-feed/release-feed.ts',
    text: '...placeOf(given, data.derived, row)',
    replacement: '...placeOf(given, data.derived, newcomer)',
    wrong: 'An edit of a release that was taken down brings it back into every feed.',
    tests: ['test/projections/releases.test.ts'],
  },
  {
    name: 'suppressed-release-still-delivered',
    file: 'queries/withdrawn-releases.ts',
    text: 'suppression !== null || ',
    replacement: '',
    wrong: 'Deliveries that wait for their next attempt still tell of what was taken down.',
    tests: ['test/queries/withdrawn-releases.test.ts'],
  },
  {
    name: 'sources-with-only-coverage-not-found',
    file: 'src/catalogue/lists/public-sources.ts',
    text: ' && instants.coverage === null',
    replacement: '',
    wrong: 'A feed that asks for coverage misses the sources that have nothing else.',
    tests: ['test/catalogue/lists/listings.test.ts'],
  },
];
