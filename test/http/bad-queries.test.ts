import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  examplePath,
  type Operation,
  operationsOf,
  type Parameter,
  seedExamples,
  withIds,
} from '../spec/http/example-registry.ts';
import { type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';

let service: HttpService;
let idsHere: ReadonlyMap<string, string>;
let reads: readonly Operation[];
const problems: string[] = [];

beforeAll(async () => {
  service = await startHttpService({ allowPrivateTargets: true });
  idsHere = await seedExamples(service);
  const operations = operationsOf((await service.get('/v1/openapi.json')).body);
  reads = operations.filter(({ method }) => method === 'GET');
});
afterAll(() => service.close());

const ask = (operation: Operation, path: string) =>
  service.get(withIds(idsHere, path), { key: operation.isPublic ? null : rootApiKey });

/** Appends what no example would: a parameter again, or one that cannot be written as text. */
const andAlso = (path: string, more: string): string => `${path}${path.includes('?') ? '&' : '?'}${more}`;

interface Expected {
  readonly status: number;
  readonly code?: string;
}

const refused: Expected = { status: 400, code: 'invalid_parameter' };

async function expectAnswer(operation: Operation, path: string, { status, code }: Expected): Promise<void> {
  const answer = await ask(operation, path);
  const given = answer.body?.error?.code;
  if (answer.status !== status || (code !== undefined && given !== code)) {
    problems.push(`${path.slice(0, 120)}: ${answer.status} ${given ?? ''} and not ${status} ${code ?? ''}`);
  }
}

/** All but the one that says 403 to whoever may not use it, whatever its value (contract 1.4). */
const queryParameters = ({ parameters }: Operation): Parameter[] =>
  parameters.filter(({ in: place, name }) => place === 'query' && name !== 'trackingRequested');

/** Contract 3.1: an unknown category is ignored there, and there only. */
const isIgnored = ({ path }: Operation, { name }: Parameter): boolean => path === '/v1/orgs' && name === 'category';

/** Values that the schema in the document does not let through. */
function badValues({ schema }: Parameter): string[] {
  const { type, minimum, enum: allowed } = schema as { type?: string; minimum?: number; enum?: unknown };
  if (type === 'integer') return ['x', '1.5', '1e3', '+1', '0x10', String(Number(minimum ?? 0) - 1)];
  if (type === 'boolean') return ['yes', '2', 'on'];
  return allowed === undefined ? [] : ['nonsense', String((allowed as unknown[])[0]).toUpperCase()];
}

const told = () => expect(problems.splice(0)).toEqual([]);

it('a value that the document does not allow is refused, whatever the route', async () => {
  let tried = 0;
  for (const operation of reads) {
    for (const parameter of queryParameters(operation)) {
      if (isIgnored(operation, parameter)) continue;
      for (const value of badValues(parameter)) {
        tried += 1;
        await expectAnswer(operation, examplePath(operation, { [parameter.name]: value }), refused);
      }
    }
  }
  expect(tried).toBeGreaterThan(100);
  told();
});

it('a size above its maximum is clamped', async () => {
  for (const operation of reads) {
    for (const { name, schema } of queryParameters(operation)) {
      if (!['limit', 'count', 'pageSize', 'tokens', 'days'].includes(name) || schema['maximum'] === undefined) continue;
      await expectAnswer(operation, examplePath(operation, { [name]: '999999999' }), { status: 200 });
    }
  }
  told();
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
  told();
});

it('a parameter that is blank is none', async () => {
  for (const operation of reads) {
    for (const { name, required, example } of queryParameters(operation)) {
      if (!required && example !== undefined) continue; // one of several, of which one is required
      const path = examplePath(operation, { [name]: '' });
      await expectAnswer(operation, path, required ? { status: 400, code: 'missing_parameter' } : { status: 200 });
    }
  }
  told();
});

it('a parameter of 10,000 characters is answered, and not with a failure of the service', async () => {
  for (const operation of reads) {
    const inPath = operation.parameters.filter((one) => one.in === 'path');
    for (const { name } of [...inPath, ...queryParameters(operation)]) {
      const { status } = await ask(operation, examplePath(operation, { [name]: 'a'.repeat(10_000) }));
      if (![200, 400, 404].includes(status)) problems.push(`${operation.path} ${name}: ${status}`);
    }
  }
  told();
});

it('a cursor that this feed has not given is refused', async () => {
  const paged = reads.filter((operation) => queryParameters(operation).some(({ name }) => name === 'cursor'));
  const { body } = await service.get('/v1/orgs/acme/releases?limit=1');
  const ofAnother = body.pagination.nextCursor as string;
  expect(ofAnother).not.toBeNull();
  for (const operation of paged) {
    const isItself = operation.path === '/v1/orgs/{slug}/releases';
    const cursors = [
      'nonsense',
      'a'.repeat(513),
      Buffer.from('{}').toString('base64url'),
      ...(isItself ? [] : [ofAnother]),
    ];
    for (const cursor of cursors) {
      await expectAnswer(operation, examplePath(operation, { cursor }), { status: 400, code: 'invalid_cursor' });
    }
  }
  expect(paged.length).toBeGreaterThan(3);
  told();
});

it('what is hidden or deleted is not there, whatever the route', async () => {
  const ofOrg = reads.filter((operation) => operation.isPublic && examplePath(operation).startsWith('/v1/orgs/acme'));
  expect(ofOrg.length).toBeGreaterThan(10);
  const notFound = { status: 404, code: 'not_found' };
  await service.patch('/v1/orgs/acme', { isHidden: true });
  for (const operation of ofOrg) await expectAnswer(operation, examplePath(operation), notFound);
  await service.patch('/v1/orgs/acme', { isHidden: false });
  for (const operation of ofOrg) await expectAnswer(operation, examplePath(operation), { status: 200 });
  await service.remove('/v1/orgs/acme');
  for (const operation of ofOrg) await expectAnswer(operation, examplePath(operation), notFound);
  told();
});
