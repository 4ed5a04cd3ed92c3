import { afterAll, beforeAll, expect, it } from 'vitest';
import { exampleIds } from '../../src/http/openapi/examples.ts';
import { examplePath, type Operation, type Parameter } from '../spec/http/example-registry.ts';
import {
  type ExampleReads,
  type Expected,
  openExampleReads,
  queryParameters,
} from '../spec/http/reads/example-reads.ts';
import { type Meaning, meaningOf, saysNothingHasIt } from '../spec/http/reads/parameter-meanings.ts';

let examples: ExampleReads;
let reads: readonly Operation[];
let expectAnswer: ExampleReads['expectAnswer'];

beforeAll(async () => {
  examples = await openExampleReads();
  ({ reads, expectAnswer } = examples);
  // So that there is a second page of what happened to it.
  const path = `/v1/releases/${examples.here(exampleIds.release)}`;
  expect((await examples.service.patch(path, { titleShort: 'Wings' })).status).toBe(200);
});
afterAll(() => examples.close());

/** Appends what no example would: a parameter again, or one that cannot be written as text. */
const andAlso = (path: string, more: string): string => `${path}${path.includes('?') ? '&' : '?'}${more}`;

const refused: Expected = { status: 400, code: 'invalid_parameter' };
const foreign: Expected = { status: 400, code: 'invalid_cursor' };

/** Contract 3.1: an unknown category is ignored there, and there only. */
const isIgnored = ({ path }: Operation, { name }: Parameter): boolean => path === '/v1/orgs' && name === 'category';

/** Values that the schema in the document does not let through. */
function badValues(operation: Operation, parameter: Parameter): string[] {
  const { name, schema } = parameter;
  if (name === 'cutoff') return ['yesterday', '30d', '2026-13-01', '2026-02-30'];
  const { type, minimum, enum: allowed } = schema as { type?: string; minimum?: number; enum?: unknown };
  if (type === 'integer') return ['x', '1.5', '1e3', '+1', '0x10', String(Number(minimum ?? 0) - 1)];
  if (type === 'boolean') return ['yes', '2', 'on'];
  const meaning = meaningOf(operation, parameter);
  if (meaning?.kind === 'value' && meaning.isDate) {
    return ['yesterday', '2026-13-01', '2026-02-30', '2026-01-01T25:00:00Z', '-1d', '1.5d'];
  }
  return allowed === undefined ? [] : ['nonsense', String((allowed as unknown[])[0]).toUpperCase()];
}

it('a value that the document does not allow is refused, whatever the route', async () => {
  let tried = 0;
  for (const operation of reads) {
    for (const parameter of queryParameters(operation)) {
      if (isIgnored(operation, parameter)) continue;
      for (const value of badValues(operation, parameter)) {
        tried += 1;
        await expectAnswer(operation, examplePath(operation, { [parameter.name]: value }), refused);
      }
    }
  }
  expect(tried).toBeGreaterThan(100);
  examples.expectNoProblems();
});

it('a size above its maximum is clamped', async () => {
  for (const operation of reads) {
    for (const { name, schema } of queryParameters(operation)) {
      if (!['limit', 'count', 'pageSize', 'tokens', 'days'].includes(name) || schema['maximum'] === undefined) continue;
      await expectAnswer(operation, examplePath(operation, { [name]: '999999999' }), { status: 200 });
    }
  }
  examples.expectNoProblems();
});

it('a parameter that is sent twice, or holds what no text holds, is refused', async () => {
  for (const operation of reads) {
    for (const { name, example = 'x' } of queryParameters(operation)) {
      const path = examplePath(operation, { [name]: example });
      await expectAnswer(operation, andAlso(path, `${name}=${encodeURIComponent(example)}`), refused);
      for (const bad of ['%00', 'a%00b', '%ED%A0%80', '%ff']) {
        const without = new RegExp(`([?&])${name}=[^&]*`);
        await expectAnswer(operation, path.replace(without, `$1${name}=${bad}`), refused);
      }
    }
  }
  examples.expectNoProblems();
});

it('a parameter that is blank is none', async () => {
  for (const operation of reads) {
    for (const { name, required, example } of queryParameters(operation)) {
      if (!required && example !== undefined) continue; // one of several, of which one is required
      const path = examplePath(operation, { [name]: '' });
      await expectAnswer(operation, path, required ? { status: 400, code: 'missing_parameter' } : { status: 200 });
      if (!required) continue;
      const blanks = examplePath(operation, { [name]: ' \t' });
      await expectAnswer(operation, blanks, { status: 400, code: 'missing_parameter' });
    }
  }
  examples.expectNoProblems();
});

const longChars = 10_000;

/** What a long value is answered with: the code of a refusal, or `ok` (contract 1.2, 1.5). */
function codeOfLong(operation: Operation, parameter: Parameter, meaning: Meaning): string {
  if (isIgnored(operation, parameter)) return 'ok';
  if (meaning.kind === 'number') return meaning.isSize ? 'ok' : 'invalid_parameter';
  if (meaning.kind === 'value') return 'invalid_parameter';
  if (meaning.kind === 'text') return meaning.unfitting;
  if (meaning.thing === 'product' && parameter.in === 'path' && !meaning.forms.includes('slug')) {
    return 'bare_slug_rejected';
  }
  if (parameter.name === 'domain') return 'invalid_parameter'; // a word without a dot is no domain
  return meaning.unless === 'not found' ? 'not_found' : 'ok';
}

it('a parameter of 10,000 characters is answered as one that fits nowhere, or refused where it is too long', async () => {
  for (const operation of reads) {
    const inPath = operation.parameters.filter((one) => one.in === 'path');
    for (const parameter of [...inPath, ...queryParameters(operation)]) {
      const meaning = meaningOf(operation, parameter);
      if (meaning === null) continue; // told by the test of what has no meaning
      const value = (meaning.kind === 'number' ? '9' : 'a').repeat(longChars);
      const answer = await examples.ask(operation, examplePath(operation, { [parameter.name]: value }));
      const code = answer.status === 200 ? 'ok' : answer.body?.error?.code;
      const expected = codeOfLong(operation, parameter, meaning);
      const what = `${operation.path} ${parameter.name}`;
      if (code !== expected) examples.tell(`${what}: ${answer.status} ${code} and not ${expected}`);
      else if (code === 'ok' && meaning.kind === 'name' && !saysNothingHasIt(meaning, answer)) {
        examples.tell(`${what}: finds something`);
      }
    }
  }
  examples.expectNoProblems();
});

it('as many characters as the document allows are not too many, whatever they take, and one more is', async () => {
  let tried = 0;
  for (const operation of reads) {
    for (const parameter of queryParameters(operation)) {
      const meaning = meaningOf(operation, parameter);
      if (meaning?.kind !== 'text' || meaning.charsMax === null) continue;
      tried += 1;
      const pathOf = (chars: number) => examplePath(operation, { [parameter.name]: '🚀'.repeat(chars) });
      await expectAnswer(operation, pathOf(meaning.charsMax), { status: 200 });
      await expectAnswer(operation, pathOf(meaning.charsMax + 1), refused);
    }
  }
  expect(tried).toBeGreaterThan(4);
  examples.expectNoProblems();
});

it('every parameter is known to be a value, a text or the name of something', () => {
  const unknown = reads.flatMap((operation) =>
    operation.parameters
      .filter((parameter) => meaningOf(operation, parameter) === null)
      .map(({ name }) => `${operation.path} ${name}`),
  );
  expect(unknown).toEqual([]);
});

const paged = (): Operation[] =>
  reads.filter((operation) => queryParameters(operation).some(({ name }) => name === 'cursor'));

/** The same feed may have several addresses; a cursor of it holds for each. The first that fits. */
const feeds: readonly (readonly [RegExp, string])[] = [
  [/^\/v1\/orgs\/\{\w+\}\/history$/, 'history of an org'],
  [/^\/v1\/releases\/\{\w+\}\/history$/, 'history of a release'],
  [/^\/v1\/orgs\/\{\w+\}\/releases$/, 'releases of an org'],
  [/^(\/v1)?\/collections\/\{\w+\}(\/releases|\.json|\.md)$/, 'releases of a collection'],
  [/^(\/v1)?\/categories\/\{\w+\}(\/releases|\.json|\.md)$/, 'releases of a category'],
  [/\/recent-releases$/, 'recent releases of a source'],
  [/\/fetch-log$/, 'fetches of a source'],
  [/\/deliveries$/, 'deliveries of a webhook'],
  [/\/products\/\{\w+\}$/, 'releases of a product'],
  // A standalone source is another example than the one of an org.
  [/^\/source\/\{\w+\}\.\w+$/, 'releases of a standalone source'],
  [/\/sources\/\{\w+\}(\/releases)?$|^\/\{org\}\/\{slug\}\.\w+$/, 'releases of a source'],
];

const feedOf = ({ path }: Operation): string => {
  const found = feeds.find(([pattern]) => pattern.test(path));
  if (found === undefined) throw new Error(`nobody knows which feed ${path} is`);
  return found[1];
};

/** Nothing was fetched, it was sunny once, and there may be time for one attempt to deliver only. */
const mayBeOfOnePage = ['deliveries of a webhook', 'fetches of a source', 'releases of a standalone source'];

it('a cursor that this feed has not given is refused, and one that it has given at another address is taken', async () => {
  const given = new Map<string, string>();
  for (const operation of paged()) {
    const { body } = await examples.ask(operation, examplePath(operation, { limit: '1' }));
    const cursor = body?.pagination?.nextCursor ?? null;
    if (cursor !== null) given.set(feedOf(operation), cursor);
  }
  expect(new Set([...given.keys(), ...mayBeOfOnePage])).toEqual(new Set(feeds.map(([, feed]) => feed)));
  for (const operation of paged()) {
    const ofOthers = [...given].filter(([feed]) => feed !== feedOf(operation)).map(([, cursor]) => cursor);
    const cursors = ['nonsense', 'a'.repeat(513), Buffer.from('{}').toString('base64url'), ...ofOthers];
    for (const cursor of cursors) {
      await expectAnswer(operation, examplePath(operation, { cursor, limit: '1' }), foreign);
    }
    const own = given.get(feedOf(operation));
    if (own !== undefined) {
      await expectAnswer(operation, examplePath(operation, { cursor: own, limit: '1' }), { status: 200 });
    }
  }
  examples.expectNoProblems();
});

/** Of each kind of filter one that the examples do not send, with a value that is as good as none. */
const filters: Readonly<Record<string, string>> = {
  include_coverage: 'false',
  include_prereleases: 'false',
  since: '2000-01-01',
  q: 'rockets',
  failed: 'false',
};

it('a cursor of the same feed with other filters is refused', async () => {
  let tried = 0;
  for (const operation of paged()) {
    const { body } = await examples.ask(operation, examplePath(operation, { limit: '1' }));
    const cursor = body?.pagination?.nextCursor ?? null;
    if (cursor === null) continue;
    for (const { name } of queryParameters(operation)) {
      if (filters[name] === undefined) continue;
      tried += 1;
      await expectAnswer(operation, examplePath(operation, { cursor, limit: '1', [name]: filters[name] }), foreign);
    }
  }
  expect(tried).toBeGreaterThan(10);
  examples.expectNoProblems();
});
