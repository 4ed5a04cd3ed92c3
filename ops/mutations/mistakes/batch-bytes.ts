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
];
