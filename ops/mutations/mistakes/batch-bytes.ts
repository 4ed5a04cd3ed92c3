import type { Mistake } from '../mistake.ts';

const embeddedEvents = 'src/adapters/embedded/event-store';
const readStepsTests = 'test/adapters/embedded/event-store/read-steps.test.ts';

/** What is read or written at once is bounded by bytes, and others have their turn in between. */
export const batchByteMistakes: readonly Mistake[] = [
  {
    name: 'streams-read-without-a-bound-of-bytes',
    file: `${embeddedEvents}/reader.ts`,
    text: 'chars > charsLeft && slice.limit !== 0',
    replacement: 'chars > charsLeft && slice.limit === 0',
    wrong: 'A batch for releases that were revised often makes every other request wait for half a second.',
    tests: [readStepsTests],
  },
  {
    name: 'readers-that-take-their-steps-together',
    file: `${embeddedEvents}/event-store.ts`,
    text: 'await steps.run(readOn)',
    replacement: 'await readOn()',
    wrong: 'A hundred streams that are read whole at the same time are read in one go.',
    tests: [readStepsTests],
  },
  {
    name: 'slice-that-goes-on-over-truncated-events',
    file: `${embeddedEvents}/reader.ts`,
    text: 'reading.begun?.firstVersion === row.first_version',
    replacement: 'reading.begun !== null',
    wrong: 'Reading a release while it is erased fails, or tells a part of what was erased.',
    tests: [readStepsTests],
  },
  {
    name: 'projector-loads-without-bound',
    file: 'src/runtime/projector/document-loader.ts',
    text: 'while (count < events.length && bytes < loadBytesMax)',
    replacement: 'while (count < events.length)',
    wrong: 'A few hundred small events about long releases load all their texts at once.',
    tests: ['test/runtime/projector/projection-target.test.ts'],
  },
  {
    name: 'records-copied-without-halving',
    file: 'src/runtime/copying/copy-documents.ts',
    text: '!(error instanceof WriteTooLarge) || changes.length === 1',
    replacement: 'error instanceof Error',
    wrong: 'A move to MongoDB fails for ever when its cache takes less than 8 MB in a transaction.',
    tests: ['test/runtime/copying/copy-documents.test.ts'],
  },
  {
    name: 'too-large-for-the-cache-taken-for-an-outage',
    file: 'src/adapters/mongodb/failures.ts',
    text: '  388, // TransactionTooLargeForCache\n',
    replacement: '',
    wrong: 'A rebuild waits for ever for a server that is there, instead of writing less at once.',
    tests: ['test/adapters/mongodb/too-large.test.ts'],
  },
  {
    name: 'pages-folded-over-truncated-events',
    file: 'src/concurrency/stream-pages.ts',
    text: 'next === fromVersion || first !== next',
    replacement: 'next === fromVersion',
    wrong: 'A release that is erased while it is read keeps a part of what was erased in a snapshot.',
    tests: ['test/concurrency/stream-pages.test.ts'],
  },
  {
    name: 'repeat-in-an-earlier-page-runs-again',
    file: 'src/runtime/commands/stream-loader.ts',
    text: 'else if (isRepeated)',
    replacement: 'else if (isRepeated && isBeginning)',
    wrong: 'A repeated command is run a second time when its events lie in an earlier page of a long stream.',
    tests: ['test/runtime/commands/repeats-in-long-streams.test.ts'],
  },
  {
    name: 'turns-taken-by-all-at-once',
    file: 'src/concurrency/short-turns.ts',
    text: '    last = last.then(takeTurn);\n    return last;',
    replacement: '    last = takeTurn();\n    return last;',
    wrong: 'A batch over releases with long histories holds up everybody for as long as eight of them take together.',
    tests: ['test/concurrency/short-turns.test.ts'],
  },
  {
    name: 'histories-of-a-batch-held-together',
    file: 'src/runtime/commands/stream-loader.ts',
    text: 'const streamsHeldMax = 20;',
    replacement: 'const streamsHeldMax = 2_000;',
    wrong:
      'A batch over releases with long histories takes hundreds of megabytes, and everybody waits while they are collected.',
    tests: ['test/runtime/commands/long-streams.test.ts'],
  },
  {
    name: 'snapshots-opened-without-turns',
    file: 'src/runtime/commands/stream-loader.ts',
    text: '      await mayGoOn();\n',
    replacement: '',
    wrong: 'Every other request waits until the snapshots of a hundred long releases were opened.',
    tests: ['test/runtime/commands/long-streams.test.ts'],
  },
  {
    name: 'records-by-id-without-a-bound-of-bytes',
    file: 'src/adapters/embedded/operational-store/collection.ts',
    text: ' && chars < turnChars',
    replacement: '',
    wrong: 'The snapshots of a hundred long releases are read and parsed in one go.',
    tests: ['test/adapters/embedded/operational-store/collection-turns.test.ts'],
  },
  {
    name: 'batch-of-long-texts-decided-in-one-turn',
    file: 'src/runtime/commands/batch-runner.ts',
    text: '        await mayGoOn();\n        const known',
    replacement: '        const known',
    wrong: 'While somebody sends 500 long releases, every other request waits until all of them are decided.',
    tests: ['test/runtime/commands/absence-hint.test.ts'],
  },
  {
    name: 'long-texts-of-a-batch-handed-over-at-once',
    file: 'src/runtime/commands/append-turns.ts',
    text: 'const bytesAtOnceMax = 1_000_000;',
    replacement: 'const bytesAtOnceMax = 1_000_000_000;',
    wrong:
      'While eight megabytes of releases are encoded for the store, every other request waits for a tenth of a second.',
    tests: ['test/runtime/commands/batch-runner.test.ts'],
  },
];
