import type { Mistake } from '../mistake.ts';

const jobs = 'src/runtime/jobs/generation';
const generatorTests = ['test/runtime/jobs/generation/generator.test.ts'];
const cadenceTests = ['test/generation/cadence.test.ts'];
const extractiveTests = ['test/generation/extractive/extractive-provider.test.ts'];
const openAiTests = ['test/generation/openai/openai-provider.test.ts'];

/** Generated content: of what everybody sees, when it is due, and gone with what it was made of. */
export const generationMistakes: readonly Mistake[] = [
  {
    name: 'erased-before-what-was-made-of-it',
    file: 'src/runtime/jobs/eraser.ts',
    text: 'await scrubTexts.scrub(Math.max(erasedTo, droppedTo), events',
    replacement: 'await scrubTexts.scrub(erasedTo, events',
    wrong: 'An erasure is answered while a read model still holds a sentence of it.',
    tests: ['test/runtime/jobs/eraser.test.ts'],
  },
  {
    name: 'generated-text-outlives-erasure',
    file: `${jobs}/generator.ts`,
    text: '      await dropGenerated(store, generated);\n',
    replacement: '',
    wrong: 'A text that was written while its release was erased keeps the sentences of it.',
    tests: generatorTests,
  },
  {
    name: 'generated-versions-kept',
    file: `${jobs}/drop-generated.ts`,
    text: '      await store.truncate(stream, version + 1);\n      return last.type',
    replacement: '      return last.type',
    wrong: 'Below what somebody wrote, the generated text of an erased release stays in the store.',
    tests: generatorTests,
  },
  {
    name: 'people-overwritten-by-erasure',
    file: `${jobs}/drop-generated.ts`,
    text: 'const isAffected = (event: RecordedEvent) => isGenerated(event) && tellsOfOneOf(event, releaseIds);',
    replacement:
      "const isAffected = (event: RecordedEvent) => event.type === 'OverviewWritten.v1' || tellsOfOneOf(event, releaseIds);",
    wrong: 'Erasing a release removes what somebody wrote about its org.',
    tests: generatorTests,
  },
  {
    name: 'shown-release-outlives-erasure',
    file: `${jobs}/drop-generated.ts`,
    text: 'releaseId ?? []), ...shownReleaseIds]);',
    replacement: 'releaseId ?? []), ...shownReleaseIds.slice(0, 0)]);',
    wrong: 'What a model tells of an erased release without citing it stays.',
    tests: generatorTests,
  },
  {
    name: 'withdrawn-release-still-cited',
    file: `${jobs}/generate-texts.ts`,
    text: '  if (withdrawn.size === 0) return written;\n',
    replacement: '  if (withdrawn.size >= 0) return written;\n',
    wrong: 'An overview goes on citing a release that was taken down, until its days have passed.',
    tests: generatorTests,
  },
  {
    name: 'prereleases-written-about',
    file: `${jobs}/visible-releases.ts`,
    text: "equals: { ...scope, lane: 'stable' },",
    replacement: "equals: { ...scope, lane: 'prerelease' },",
    wrong: 'Overviews tell of prereleases, and of nothing else.',
    tests: generatorTests,
  },
  {
    name: 'hidden-sources-written-about',
    file: `${jobs}/visible-releases.ts`,
    text: 'for (const source of page) if (isVisible(source)) found.set(source.id, source);',
    replacement: 'for (const source of page) found.set(source.id, source);',
    wrong: 'An overview tells everybody of hidden sources.',
    tests: generatorTests,
  },
  {
    name: 'failed-content-forgotten',
    file: `${jobs}/generator.ts`,
    text: "if (!isDomainError(error, 'not_found')) next = putOff(row, error);",
    replacement: "if (!isDomainError(error, 'not_found')) putOff(row, error);",
    wrong: 'What a provider could not write once is never written.',
    tests: generatorTests,
  },
  {
    name: 'enriched-over-given',
    file: 'src/domain/release/enriched.ts',
    text: 'return given[field] === undefined && ',
    replacement: 'return ',
    wrong: 'A model names a release that somebody has named.',
    tests: generatorTests,
  },
  {
    name: 'enriched-without-end',
    file: `${jobs}/due-wishes.ts`,
    text: "  if (event.metadata.cause === 'enrich') return [];\n  // A revision",
    replacement: '  // A revision',
    wrong: 'Enriching a release makes the summaries of its days due, again and again.',
    tests: ['test/runtime/jobs/generation/due-wishes.test.ts'],
  },
  {
    name: 'month-told-before-its-end',
    file: `${jobs}/due-wishes.ts`,
    text: 'Math.max(soonMs, monthBounds(month).toMs + settleMs)',
    replacement: 'soonMs',
    wrong: 'A month is told of while it lasts, and what comes later is missing for a day.',
    tests: ['test/runtime/jobs/generation/due-wishes.test.ts'],
  },
  {
    name: 'overview-by-hand-replaced',
    file: 'src/generation/cadence.ts',
    text: '  if (!written.isGenerated && newestMs <= (written.lastContributingMs ?? written.writtenMs)) return nothing;\n',
    replacement: '',
    wrong: 'What somebody wrote about an org is replaced although nothing is new.',
    tests: cadenceTests,
  },
  {
    name: 'cited-beside-the-text',
    file: 'src/generation/extractive/cited-text.ts',
    text: "    content += '\\n- ';\n    citations.push(citationOf(sentence, content.length));\n",
    replacement: "    citations.push(citationOf(sentence, content.length));\n    content += '\\n- ';\n",
    wrong: 'Citations cut something else out of the content than what they cite.',
    tests: extractiveTests,
  },
  {
    name: 'backticks-grown-together',
    file: 'src/generation/extractive/harmless-inline.ts',
    text: "(piece.startsWith('`') && out.endsWith('`'))",
    replacement: 'false',
    wrong: 'Two pieces of code become one that has no end, and what follows is no code any more.',
    tests: extractiveTests,
  },
  {
    name: 'impatient-with-the-model',
    file: 'src/openai/post-json.ts',
    text: 'const patienceMs = Math.max(waitMs, error.retryAfterMs ?? 0);',
    replacement: 'const patienceMs = waitMs;',
    wrong: 'A model that asks for patience is asked again at once.',
    tests: openAiTests,
  },
  {
    name: 'model-asked-inside-the-network',
    file: 'src/openai/post-json.ts',
    text: "if (vetted.kind === 'refused') throw",
    replacement: "if (vetted.kind === 'refused' && vetted.reason === 'dns_failed') throw",
    wrong: 'A setting leads into the network, and what is there is told what the releases say.',
    tests: openAiTests,
  },
];
