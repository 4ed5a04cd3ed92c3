import type { Mistake } from '../mistake.ts';

const everyWrite = 'test/http/every-write.test.ts';

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
    tests: [everyWrite],
  },
  {
    name: 'account-linked-twice-for-one-key',
    file: 'src/http/routes/orgs-accounts.ts',
    text: '  idempotent: true,\n',
    replacement: '',
    wrong: 'Whoever repeats a request whose answer got lost is told that the account is taken.',
    tests: [everyWrite],
  },
  {
    name: 'restore-does-not-say-of-what',
    file: 'src/domain/lifetime-rules.ts',
    text: 'notFound(expected.entity, expected.id)',
    replacement: "new DomainError('not_found', expected.entity)",
    wrong: 'Of several ids that a script sends, the message does not tell which one is not there.',
    tests: ['test/http/contract-sentences.test.ts'],
  },
  {
    name: 'member-that-is-hidden-found',
    file: 'src/http/request/body-references.ts',
    text: ': resolveProduct(catalogue, productId, admin).id;',
    replacement: ': resolveProduct(catalogue, productId, true).id;',
    wrong: 'Whoever may write finds out which hidden products there are, and puts them into collections.',
    tests: ['test/http/bad-references.test.ts'],
  },
  {
    name: 'source-found-below-another-org',
    file: 'src/catalogue/resolve.ts',
    text: 'catalogue.sourceOfOrg(orgId, identifier);\n  if (source?.orgId !== orgId || ',
    replacement: 'catalogue.sourcesBySlug(identifier)[0];\n  if (source === undefined || ',
    wrong: 'A write below one org changes a source of another one that has the same slug.',
    tests: ['test/http/bad-input.test.ts'],
  },
  {
    name: 'alias-given-to-all-who-ask',
    file: 'src/domain/org/name-wishes.ts',
    text: "  ...Object.fromEntries(aliases.map((alias) => [`alias:${alias}`, wishFor('alias', alias)])),\n",
    replacement: '',
    wrong: 'Two orgs that ask at once have the same alias, and a domain leads to either of them.',
    tests: ['test/http/claims.test.ts'],
  },
];
