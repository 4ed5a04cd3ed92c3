import type { Mistake } from '../mistake.ts';

const matrix = 'test/http/authorization-matrix.test.ts';

/** What a write may name, what it says, and that it is done once. */
export const writeMistakes: readonly Mistake[] = [
  {
    name: 'location-names-a-hidden-source',
    file: 'src/http/routes/orgs-write.ts',
    text: 'if (sourceId !== null) resolveSource(catalogue, sourceId, admin);',
    replacement: 'if (sourceId !== null) resolveSource(catalogue, sourceId, true);',
    wrong: 'Whoever may write finds out which hidden sources there are.',
    tests: ['test/http/org-changes.test.ts'],
  },
  {
    name: 'suppressing-nothing-answers-no-position',
    file: 'src/http/routes/releases-suppress.ts',
    text: 'const position = written || (await seen.models.of(releaseFeedProjection).checkpoint());',
    replacement: 'const position = written;',
    wrong: 'A caller that waits for the position of its write reads what is older than what that has read.',
    tests: ['test/http/release-suppression.test.ts'],
  },
  {
    name: 'enqueued-fetch-answers-no-position',
    file: 'src/http/routes/fetches.ts',
    text: 'sourceId: source.id }, position };',
    replacement: 'sourceId: source.id } };',
    wrong: 'A write forgets the header that every one of them has.',
    tests: [matrix],
  },
  {
    name: 'account-linked-twice-for-one-key',
    file: 'src/http/routes/orgs-accounts.ts',
    text: '  idempotent: true,\n',
    replacement: '',
    wrong: 'Whoever repeats a request whose answer got lost is told that the account is taken.',
    tests: [matrix],
  },
  {
    name: 'restore-does-not-say-of-what',
    file: 'src/domain/lifetime-rules.ts',
    text: 'notFound(expected.entity, expected.id)',
    replacement: "new DomainError('not_found', expected.entity)",
    wrong: 'Of several ids that a script sends, the message does not tell which one is not there.',
    tests: ['test/http/contract-sentences.test.ts'],
  },
];
