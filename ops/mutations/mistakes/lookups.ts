import type { Mistake } from '../mistake.ts';

const lookUp = 'src/use-cases/look-up-repository.ts';
const processes = 'test/http/lookup-processes.test.ts';
const killed = 'test/http/lookups-killed.test.ts';
const answers = 'test/http/lookups.test.ts';

/** Lookups: made once, done to the end, and no third party is believed or told more than it should. */
export const lookupMistakes: readonly Mistake[] = [
  {
    name: 'lookup-taken-for-done-before-its-releases',
    file: lookUp,
    text: 'return { id, orgId, isFilled: livingId !== id };',
    replacement: "return { id, orgId, isFilled: livingId !== '' };",
    wrong: 'A kill between the source and its releases leaves a source that stays empty for ever.',
    tests: [killed],
  },
  {
    name: 'lookup-contact-before-its-releases',
    file: 'src/use-cases/ingest-batch.ts',
    text: `  const outcome = await ingestItems(services, ingested);
  const record = request.cause === 'fetch' ? contacts.recordFetch : contacts.recordIngest;
  await record(sourceId, clock.nowMs());
`,
    replacement: `  const record = request.cause === 'fetch' ? contacts.recordFetch : contacts.recordIngest;
  await record(sourceId, clock.nowMs());
  const outcome = await ingestItems(services, ingested);
`,
    wrong: 'A source counts as filled before a release of it is stored, so that nobody fills it after a kill.',
    tests: [killed],
  },
  {
    name: 'lookup-source-by-chance',
    file: lookUp,
    text: 'await commands.run(createSource, fields, { ...request, commandId });',
    replacement: 'await commands.run(createSource, fields, commandId === null ? { ...request, commandId } : request);',
    wrong: 'Two processes that look the same repository up at once make two sources of it.',
    tests: [processes],
  },
  {
    name: 'lookup-org-by-chance',
    file: lookUp,
    text: 'return (await commands.run(createOrg, fields, { ...request, commandId })).id;',
    replacement:
      'return (await commands.run(createOrg, fields, commandId === null ? { ...request, commandId } : request)).id;',
    wrong: 'Two processes that look up repositories of one owner at once make two orgs of it.',
    tests: [processes],
  },
  {
    name: 'lookup-not-shared',
    file: lookUp,
    text: 'share(repositoryKey(coordinate), () => lookUp(coordinate, request));',
    replacement: 'share(`${repositoryKey(coordinate)} ${request.commandId}`, () => lookUp(coordinate, request));',
    wrong: 'Fifty who ask for one repository at once make fifty fetches of it.',
    tests: [answers],
  },
  {
    name: 'lookup-of-what-is-gone',
    file: 'src/use-cases/made-once.ts',
    text: 'if (isLive) return {',
    replacement: 'if (isLive || isThere) return {',
    wrong: 'After its source was deleted a repository can never be looked up again.',
    tests: [answers],
  },
  {
    name: 'lookup-outage-taken-for-absence',
    file: lookUp,
    text: `      return 'deferred';
    }
`,
    replacement: `      return null;
    }
`,
    wrong: 'While the third party is away every repository is said to be missing, and remembered so for a day.',
    tests: [answers],
  },
  {
    name: 'fetch-page-of-another-host',
    file: 'src/ingest/github/github-client.ts',
    text: `      if (new URL(url).origin !== new URL(apiUrl).origin) throw new FetchFailed('blocked');
`,
    replacement: '',
    wrong: 'The address of a next page carries our credential to a host that nobody has named.',
    tests: ['test/ingest/github-fetcher.test.ts'],
  },
  {
    name: 'fetch-turn-kept-by-a-failure',
    file: 'src/concurrency/turns.ts',
    text: `      try {
        return await work();
      } finally {
        giveBack();
      }
`,
    replacement: `      const result = await work();
      giveBack();
      return result;
`,
    wrong: 'After eight failures of third parties nothing is fetched any more until the process starts anew.',
    tests: ['test/concurrency/turns.test.ts'],
  },
  {
    name: 'kept-answer-known-by-one-release',
    file: 'src/records/idempotency-keys.ts',
    text: 'await put(done, revision + 1, marks)',
    replacement: 'await put(done, revision + 1, marks.slice(marks.length))',
    wrong: 'An answer that is kept for repeats still holds the text of an erased release.',
    tests: ['test/runtime/jobs/eraser.test.ts'],
  },
];
