import type { Mistake } from '../mistake.ts';

const reading = 'test/ingest/feed/read-feed.test.ts';
const fetching = 'test/ingest/feed/feed-fetcher.test.ts';
const markdown = 'test/ingest/html/html-to-markdown.test.ts';

/** Feeds: strangers write them, so nothing in them is believed, run, or let grow without bound. */
export const feedMistakes: readonly Mistake[] = [
  {
    name: 'feed-oldest-kept',
    file: 'src/ingest/feed/newest-entries.ts',
    text: 'kept.sort((a, b) => b.key - a.key)',
    replacement: 'kept.sort((a, b) => a.key - b.key)',
    wrong: 'Of a long feed the oldest entries are stored, and what is new is never seen.',
    tests: [reading],
  },
  {
    name: 'feed-batch-without-bound-of-bytes',
    file: 'src/ingest/feed/feed-items.ts',
    text: '      if (bytes > bytesMax && items.length > 0) break;\n',
    replacement: '',
    wrong: 'A feed of long texts makes a batch that takes all memory, or that no store accepts.',
    tests: [reading],
  },
  {
    name: 'feed-address-of-all-taken-for-one',
    file: 'src/ingest/feed/entry-addresses.ts',
    text: '!shared.has(address) &&',
    replacement: '!shared.has("") &&',
    wrong: 'All entries that link to one page become revisions of a single release.',
    tests: [reading],
  },
  {
    name: 'feed-half-an-entry',
    file: 'src/ingest/feed/read-feed.ts',
    text: 'if (isWhole) read.addLast();',
    replacement: 'read.addLast();',
    wrong: 'Of a feed that was cut off, half an entry is stored as a whole one.',
    tests: [reading],
  },
  {
    name: 'feed-nested-json-parsed',
    file: 'src/ingest/feed/json-feed.ts',
    text: 'if (depth > depthMax || containers > containersMax) return false;',
    replacement: 'if (depth > text.length || containers > text.length) return false;',
    wrong: 'Ten megabytes of brackets take gigabytes of memory when they are parsed.',
    tests: [reading],
  },
  {
    name: 'feed-strangers-validators',
    file: 'src/ingest/feed/feed-fetcher.ts',
    text: "source.memory['foundFrom'] === configured ? conditionsFrom(source.memory) : {}",
    replacement: "source.memory['foundFrom'] === '' ? {} : conditionsFrom(source.memory)",
    wrong: 'A source whose feed was changed by hand is told that nothing is new, and stays empty.',
    tests: [fetching],
  },
  {
    name: 'feed-page-after-page',
    file: 'src/ingest/feed/feed-fetcher.ts',
    text: 'if (named === null || named === address) throw',
    replacement: 'if (named === null) throw',
    wrong: 'A page that names itself as its feed is fetched twice each time.',
    tests: [fetching],
  },
  {
    name: 'feed-encoding-believed',
    file: 'src/ingest/feed/decode-text.ts',
    text: `  const utf8 = decodeStrictly(bytes, 'utf-8');
  if (utf8 !== null) return utf8;
  for`,
    replacement: '  for',
    wrong: 'A feed in UTF-8 that a server declares to be Latin comes in with two letters for each that is no ASCII.',
    tests: ['test/ingest/feed/decode-text.test.ts'],
  },
  {
    name: 'feed-zone-guessed',
    file: 'src/ingest/feed/feed-date.ts',
    text: "return hours === undefined ? 'unknown' : hours * 3_600_000;",
    replacement: 'return (hours ?? 0) * 3_600_000;',
    wrong: 'Releases get a date that is hours or a day off where the zone is one that means several things.',
    tests: ['test/ingest/feed/feed-date.test.ts'],
  },
  {
    name: 'markdown-links-that-run',
    file: 'src/ingest/html/web-address.ts',
    text: '!schemes.has(url.protocol)',
    replacement: "url.protocol === ''",
    wrong: 'A link of a feed runs a script in the page of whoever shows its Markdown.',
    tests: [markdown],
  },
  {
    name: 'markdown-text-becomes-a-link',
    file: 'src/ingest/html/markdown-inline.ts',
    text: "    .replace(/\\](?=[([:]|$)/g, '\\\\]')\n",
    replacement: '',
    wrong: 'Text that only looks like Markdown becomes a link to wherever its writer wants.',
    tests: [markdown],
  },
  {
    name: 'text-shown-in-another-order',
    file: 'src/ingest/clean-text.ts',
    text: "    .replace(directionChanges, '')\n",
    replacement: '',
    wrong: 'A title shows its letters in another order than it has them, and hides what it names.',
    tests: ['test/ingest/clean-text.test.ts'],
  },
  {
    name: 'feed-address-taken-from-who-had-it',
    file: 'src/ingest/feed/entry-addresses.ts',
    text: 'if (owned.has(ownershipOf(entry))) return true;',
    replacement: 'if (owned.has(ownershipOf(entry)) && shared.size === 0) return true;',
    wrong:
      'When a second entry links to the same page, the release that was known by it is stored again under another id.',
    tests: [fetching],
  },
  {
    name: 'feed-bomb-taken-for-quiet',
    file: 'src/ingest/feed/feed-fetcher.ts',
    text: 'if (response.truncated && items.length === 0)',
    replacement: 'if (response.truncated && items.length < 0)',
    wrong: 'A feed that is endless and holds nothing counts as healthy, and nobody ever hears of it.',
    tests: [fetching],
  },
  {
    name: 'feed-date-of-either-order',
    file: 'src/ingest/feed/feed-date.ts',
    text: 'return numericDayMs(numeric, null);',
    replacement: "return numericDayMs(numeric, 'day-first');",
    wrong: 'A date that can be read in two ways is read in one of them, and is months off for half of the world.',
    tests: ['test/ingest/feed/feed-date.test.ts'],
  },
  {
    name: 'feed-changed-before-that-is-known',
    file: 'projections/all-projections.ts',
    text: '  feedChangesProjection,\n  orgProjection,',
    replacement: '  orgProjection,\n  feedChangesProjection,',
    wrong: 'Between two writes a feed that has lost an entry is called proven by its date.',
    tests: ['test/projections/feed-changes.test.ts'],
  },
  {
    name: 'each-org-of-a-large-collection-asked-for',
    file: 'queries/feed/feed-changed-at.ts',
    text: 'asked === null || asked.length > orgsAskedMax',
    replacement: 'asked === null',
    wrong: 'The feed of a collection costs a query more for each org in it.',
    tests: ['test/queries/feed/feed-changed-at.test.ts'],
  },
];
