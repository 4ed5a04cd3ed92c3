import type { Mistake } from '../mistake.ts';

const changelog = 'src/ingest/changelog';
const tests = 'test/ingest/changelog';

/** Changelogs: which lines begin an entry, and that no text or time is lost on the others. */
export const changelogMistakes: readonly Mistake[] = [
  {
    name: 'package-between-others-falls-into-their-text',
    file: `${changelog}/entry-starts.ts`,
    text: 'new Set([...(dated ?? namedOnLevel(headings, level)), ...announcing])',
    replacement: 'new Set([...(dated ?? namedOnLevel(headings, -1)), ...announcing])',
    wrong: 'In a changelog of several packages the one that was released once is a part of another one.',
    tests: [`${tests}/written-styles.test.ts`],
  },
  {
    name: 'names-that-stand-once-are-no-entries',
    file: `${changelog}/entry-starts.ts`,
    text: 'return found.length > 0 ? found : namedHeadings(headings);',
    replacement: 'return found.length >= 0 ? found : namedHeadings(headings);',
    wrong: 'A changelog whose releases have names of their own is skipped as a whole.',
    tests: [`${tests}/written-styles.test.ts`],
  },
  {
    name: 'what-is-new-names-no-version',
    file: `${changelog}/section.ts`,
    text: "if (words === '') return read;",
    replacement: 'if (words !== null) return read;',
    wrong: 'A changelog that asks what is new in each version is skipped as a whole.',
    tests: [`${tests}/written-styles.test.ts`],
  },
  {
    name: 'package-below-an-entry-taken-for-one',
    file: `${changelog}/entry-starts.ts`,
    text: "(sharesVersion(section, open) || (heading.packageName !== '' && isBelow));",
    replacement: 'sharesVersion(section, open);',
    wrong: 'The packages of a release become releases of their own, and it loses its text.',
    tests: [`${tests}/written-styles.test.ts`],
  },
  {
    name: 'version-below-itself-taken-for-another',
    file: `${changelog}/entry-starts.ts`,
    text: "(sharesVersion(section, open) || (heading.packageName !== '' && isBelow));",
    replacement: "heading.packageName !== '' && isBelow;",
    wrong: 'A heading inside an entry that names its version again cuts the entry in two.',
    tests: [`${tests}/changelog-entries.test.ts`],
  },
  {
    name: 'line-out-of-order-begins-an-entry',
    file: `${changelog}/entry-starts.ts`,
    text: '(upper === null || upper > key) &&',
    replacement: 'upper !== undefined &&',
    wrong: 'A version that stands alone on a line of text cuts the entry that mentions it.',
    tests: [`${tests}/changelog-entries.test.ts`],
  },
  {
    name: 'upcoming-changes-end-a-release',
    file: `${changelog}/entry-starts.ts`,
    text: 'const isOutside = !isBelow || open === undefined || open.heading.isUnreleased;',
    replacement: 'const isOutside = line.level <= level + 1;',
    wrong: 'What a release says about later ones is lost, with all that follows.',
    tests: [`${tests}/written-styles.test.ts`],
  },
  {
    name: 'text-of-a-version-said-twice-lost',
    file: `${changelog}/changelog-entries.ts`,
    text: "else if (content !== '') known.contents.push(content);",
    replacement: '',
    wrong: 'The text below the second heading of a version is in no release.',
    tests: [`${tests}/written-styles.test.ts`],
  },
  {
    name: 'open-fence-hides-the-rest',
    file: `${changelog}/visible-lines.ts`,
    text: 'start = fence!.next;',
    replacement: 'start = text.length;',
    wrong: 'One code block that nobody closed hides every older release of its file.',
    tests: [`${tests}/written-styles.test.ts`],
  },
  {
    name: 'doubtful-day-read-month-first',
    file: `${changelog}/written-dates.ts`,
    text: "orderOfFile ?? (day.isDotted ? 'day-first' : null)",
    replacement: "orderOfFile ?? (day.isDotted ? 'day-first' : 'month-first')",
    wrong: 'Releases of European projects are dated months too early or too late.',
    tests: [`${tests}/written-styles.test.ts`],
  },
  {
    name: 'offset-refused-past-every-end',
    file: 'src/http/request/query-params.ts',
    text: '.transform((text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER)); // past',
    replacement: '.refine((text) => Number.isSafeInteger(Number(text)))\n    .transform(Number); // past',
    wrong: 'Who reads a changelog on from far behind its end is refused, and not told that it is over.',
    tests: ['test/http/changelogs.test.ts'],
  },
];
