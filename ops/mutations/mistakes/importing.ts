import type { Mistake } from '../mistake.ts';

const findFiles = 'src/cli/importing/import-files.ts';
const findTests = ['test/cli/importing/import-files.test.ts'];

/** Imports: all that a word names is found and taken as what it is, and nothing that hides comes in with it. */
export const importMistakes: readonly Mistake[] = [
  {
    name: 'import-of-nothing-passes-for-done',
    file: findFiles,
    text: 'if (found.length > 0) return found;',
    replacement: 'if (found.length > 0 || stats !== undefined) return found;',
    wrong:
      'A folder without anything to import is answered with a table of zeros, and whoever misspelt it is told nothing.',
    tests: findTests,
  },
  {
    name: 'import-passes-over-releases-in-folders',
    file: findFiles,
    text: 'await glob([changelogNames, releaseFileNames], options)',
    replacement: 'await glob([changelogNames], { ...options, dot: releaseFileNames === null })',
    wrong: 'A folder of exported releases brings in nothing.',
    tests: findTests,
  },
  {
    name: 'import-takes-releases-for-a-changelog',
    file: findFiles,
    text: 'files.filter(({ path }) => !isReleaseFile(path)).map((file) => () => readChangelog(file))',
    replacement: 'files.map((file) => () => readChangelog(file))',
    wrong: 'A file of releases that a pattern names is read as a changelog, too.',
    tests: findTests,
  },
  {
    name: 'import-stores-what-hides',
    file: 'src/ingest/importing/release-line.ts',
    text: "json = JSON.parse(text.replace(/^\\ufeff/, ''), cleaned);",
    replacement:
      "json = JSON.parse(text.replace(/^\\ufeff/, ''), (key, value) => (key === '' ? cleaned(key, value) : value));",
    wrong: 'A line of an import shows readers another name than the one it has.',
    tests: ['test/ingest/importing/release-line.test.ts'],
  },
];
