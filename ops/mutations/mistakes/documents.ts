import type { Mistake } from '../mistake.ts';

/** The reference, and what is said of stores that nobody has set up. */
export const documentMistakes: readonly Mistake[] = [
  {
    name: 'file-of-another-version-kept-for-ever',
    file: 'src/http/reference/send-file.ts',
    text: 'version === (await reference.version()) ? keptForEver : notKept',
    replacement: 'keptForEver',
    wrong: 'A browser that comes with an old page in the middle of a rollout keeps the wrong file for a year.',
    tests: ['test/http/reference.test.ts'],
  },
  {
    name: 'policy-lets-scripts-in',
    file: 'src/http/reference/reference.ts',
    text: "script-src 'self';",
    replacement: "script-src 'self' 'unsafe-inline';",
    wrong: 'A text of the document that slips through the renderer runs with the credential of whoever reads it.',
    tests: ['test/http/reference.test.ts'],
  },
  {
    name: 'compressed-to-everybody',
    file: 'src/http/reference/send-file.ts',
    text: "const isCompressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';",
    replacement: 'const isCompressed = true;',
    wrong: 'Who cannot unpack gets bytes that nothing can be made of.',
    tests: ['test/http/reference.test.ts'],
  },
  {
    name: 'first-start-is-not-set-up',
    file: 'src/http/require-built.ts',
    text: 'if (deps.projectsHere) return;',
    replacement: '',
    wrong: 'Every first start tells its callers to set it up, while it does so itself.',
    tests: ['test/http/reference.test.ts'],
  },
  {
    name: 'write-that-nobody-will-show',
    file: 'src/compose/http-app.ts',
    text: 'if ((await live.current()) === null) await requireBuilt();',
    replacement: 'await live.current();',
    wrong: 'Writes are stored where nothing can be read, and answered ten seconds later with a failure.',
    tests: ['test/http/reference.test.ts'],
  },
  {
    name: 'example-that-only-leads-on',
    file: 'src/http/openapi/examples.ts',
    text: '`${exampleIds.release}-faster-rockets`',
    replacement: 'exampleIds.release',
    wrong: 'Who tries the example of the page of a release is sent elsewhere.',
    tests: ['test/http/openapi-examples.test.ts'],
  },
];
