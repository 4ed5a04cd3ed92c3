import type { Mistake } from '../mistake.ts';

const sweeper = 'src/runtime/jobs/text-sweeper.ts';
const tests = ['test/runtime/jobs/text-sweeper.test.ts'];

/** Texts of changelog files: named when they are whole, erased when nothing names them. */
export const textMistakes: readonly Mistake[] = [
  {
    name: 'text-given-up-without-a-word',
    file: 'commands/changelog/abandon-changelog-text.ts',
    text: "namesText(state, key) ? [] : [{ type: 'ChangelogTextAbandoned.v1', data: { key } }],",
    replacement: 'namesText(state, key) ? [] : [],',
    wrong: 'A writer that was stopped for an hour names a text that is erased.',
    tests,
  },
  {
    name: 'text-taken-up-again',
    file: 'commands/changelog/store-changelog-file.ts',
    text: "hashOf([commandId, sha256, state.abandoned].join('\\n'))",
    replacement: "hashOf([commandId, sha256].join('\\n'))",
    wrong: 'A writer names a text that was given up and is being erased.',
    tests,
  },
  {
    name: 'text-shared-by-two-versions',
    file: 'commands/changelog/store-changelog-file.ts',
    text: "hashOf([commandId, sha256, state.abandoned].join('\\n'))",
    replacement: "hashOf([sha256, state.abandoned].join('\\n'))",
    wrong: 'A file that goes back to an earlier text loses it with the version that it replaces.',
    tests,
  },
  {
    name: 'text-erased-at-once',
    file: sweeper,
    text: 'clock.nowMs() - Date.parse(metadata.recordedAt) >= sweepAfterMs',
    replacement: 'clock.nowMs() - Date.parse(metadata.recordedAt) >= 0',
    wrong: 'The text of a writer that is still at work is taken from it.',
    tests,
  },
  {
    name: 'young-text-passed-over',
    file: sweeper,
    text: 'if (signal?.aborted || !isOldEnough(event, deps.clock)) return position;',
    replacement: 'if (signal?.aborted || !isOldEnough(event, deps.clock)) continue;',
    wrong: 'What was too young at the first look is never erased.',
    tests,
  },
  {
    name: 'begun-text-forgotten',
    file: 'src/runtime/commands/write-texts.ts',
    text: '  for (const { stream } of unwritten) await beginText(store, stream, request, now);\n',
    replacement: '  void beginText;\n',
    wrong: 'Nobody finds the text of a writer that died.',
    tests,
  },
  {
    name: 'code-on-the-line-of-an-item-unseen',
    file: 'src/domain/release/derived/fenced-code.ts',
    text: 'fence = fenceOfItem(text, line, start, end);',
    replacement: 'fence = null;',
    wrong: 'The end of such code is taken for its beginning: no slice begins at any heading below it.',
    tests: ['test/domain/changelog/slice.test.ts'],
  },
  {
    name: 'code-of-an-item-outlives-it',
    file: 'src/domain/release/derived/fenced-code.ts',
    text: 'fence.itemColumn > 0 && columnOf',
    replacement: 'fence.itemColumn < 0 && columnOf',
    wrong: 'One item that begins with three tildes hides all headings and items below it.',
    tests: ['test/domain/changelog/slice.test.ts'],
  },
  {
    name: 'erased-release-takes-its-page-along',
    file: 'src/texts/release-texts.ts',
    text: 'if (isBehind && late.size < remaining.length)',
    replacement: 'if ((isBehind || true) && late.size < remaining.length)',
    wrong:
      'From an erasure until its document is gone, which may be long, no feed can be read that has a row of the release.',
    tests: ['test/queries/releases/erased-texts.test.ts'],
  },
  {
    name: 'late-text-taken-for-an-erased-one',
    file: 'src/texts/release-texts.ts',
    text: '(await bodies.checkpoint()) < detailsPosition',
    replacement: '(await bodies.checkpoint()) < Math.min(0, detailsPosition)',
    wrong: 'While the bodies stand still, releases with long texts are missing from feeds as if they had been erased.',
    tests: ['test/queries/releases/erased-texts.test.ts'],
  },
  {
    name: 'erased-document-not-looked-for-again',
    file: 'src/texts/release-texts.ts',
    text: 'missing.filter(({ id }) => known.has(id))',
    replacement: 'missing.filter(({ id }) => known.size >= 0 || known.has(id))',
    wrong: 'A page is refused when one of its releases is erased while it is read, and something else happens.',
    tests: ['test/queries/releases/erased-texts.test.ts'],
  },
  {
    name: 'text-that-has-come-meanwhile-not-read',
    file: 'src/texts/release-texts.ts',
    text: 'await presentTexts(reads, remaining)',
    replacement: 'await presentTexts(reads, remaining.slice(0, 0))',
    wrong: 'A text that the bodies see while it is read is taken for an erased one.',
    tests: ['test/queries/releases/erased-texts.test.ts'],
  },
  {
    name: 'erased-release-shown-without-its-text',
    file: 'queries/shape/release/release-items.ts',
    text: 'if (release === undefined || source === undefined || content === undefined) return [];',
    replacement: 'if (release === undefined || source === undefined) return [];',
    wrong: 'A release that is being erased is in the feeds, with its title and without a text.',
    tests: ['test/queries/releases/erased-texts.test.ts'],
  },
];
