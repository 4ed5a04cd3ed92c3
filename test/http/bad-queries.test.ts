import { afterAll, beforeAll, expect, it } from 'vitest';
import { exampleIds } from '../../src/http/openapi/examples.ts';
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

const isDate = ({ format, description = '' }: Readonly<Record<string, unknown>>): boolean =>
  format === 'date' || /^A (date|day)\b/.test(String(description));

/** Values that the schema in the document does not let through. */
function badValues({ name, schema }: Parameter): string[] {
  if (name === 'cutoff') return ['yesterday', '30d', '2026-13-01', '2026-02-30'];
  const { type, minimum, enum: allowed } = schema as { type?: string; minimum?: number; enum?: unknown };
  if (type === 'integer') return ['x', '1.5', '1e3', '+1', '0x10', String(Number(minimum ?? 0) - 1)];
  if (type === 'boolean') return ['yes', '2', 'on'];
  if (isDate(schema)) return ['yesterday', '2026-13-01', '2026-02-30', '2026-01-01T25:00:00Z', '-1d', '1.5d'];
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

/** The same feed may have several addresses; a cursor of it holds for each. */
const feedOf = ({ path }: Operation): string => {
  if (path.includes('recent-releases')) return 'recent';
  if (path.includes('/products/')) return 'product';
  if (path.includes('source') || path.startsWith('/{org}/{slug}')) return 'source';
  return /^(?:\/v1)?\/(collections|categories)\//.exec(path)?.[1] ?? 'org';
};

it('a cursor that this feed has not given is refused', async () => {
  const paged = reads.filter((operation) => queryParameters(operation).some(({ name }) => name === 'cursor'));
  const given = new Map<string, string>();
  for (const operation of paged) {
    const { body } = await ask(operation, examplePath(operation, { limit: '1' }));
    const cursor = body?.pagination?.nextCursor ?? null;
    if (cursor !== null) given.set(feedOf(operation), cursor);
  }
  expect([...given.keys()].sort()).toEqual(['categories', 'collections', 'org', 'product', 'recent', 'source']);
  for (const operation of paged) {
    const ofOthers = [...given].filter(([feed]) => feed !== feedOf(operation)).map(([, cursor]) => cursor);
    const cursors = ['nonsense', 'a'.repeat(513), Buffer.from('{}').toString('base64url'), ...ofOthers];
    for (const cursor of cursors) {
      await expectAnswer(operation, examplePath(operation, { cursor, limit: '1' }), {
        status: 400,
        code: 'invalid_cursor',
      });
    }
  }
  told();
});

interface Withdrawal {
  readonly what: string;
  /** What paths and parameters call it, as the document does. */
  readonly called: readonly string[];
  readonly withdraw: () => Promise<{ readonly status: number }>;
  readonly bringBack?: () => Promise<{ readonly status: number }>;
}

const here = (exampleId: string): string => idsHere.get(exampleId)!;
const isHidden = (path: string) => ({
  withdraw: () => service.patch(path, { isHidden: true }),
  bringBack: () => service.patch(path, { isHidden: false }),
});
const isDeleted = (path: string) => ({
  withdraw: () => service.remove(path),
  bringBack: () => service.post(`${path}/restore`, undefined),
});

const source = { called: ['rocket-cli', exampleIds.source], id: exampleIds.source };
const product = { called: [exampleIds.product, 'rocket'], id: exampleIds.product };
const release = { called: [exampleIds.release, `${exampleIds.release}-faster-rockets`], id: exampleIds.release };
const org = { called: ['acme', exampleIds.org, 'acme.example'], id: exampleIds.org };

/** The last ones are for good. */
const withdrawals = (): readonly (Withdrawal & { readonly id: string })[] => {
  const [sourcePath, productPath, releasePath, orgPath] = [
    `/v1/sources/${here(source.id)}`,
    `/v1/products/${here(product.id)}`,
    `/v1/releases/${here(release.id)}`,
    `/v1/orgs/${here(org.id)}`,
  ];
  return [
    { ...source, what: 'a hidden source', ...isHidden(sourcePath) },
    { ...source, what: 'a deleted source', ...isDeleted(sourcePath) },
    { ...product, what: 'a hidden product', ...isHidden(productPath) },
    { ...product, what: 'a deleted product', ...isDeleted(productPath) },
    {
      ...release,
      what: 'a release that was taken down',
      withdraw: () => service.post(`${releasePath}/suppress`, undefined),
      bringBack: () => service.post(`${releasePath}/unsuppress`, undefined),
    },
    {
      ...release,
      what: 'a release of the future',
      withdraw: () => service.patch(releasePath, { publishedAt: '2199-01-01' }),
      bringBack: () => service.patch(releasePath, { publishedAt: '2026-01-01' }),
    },
    { ...org, what: 'a hidden org', ...isHidden(orgPath) },
    { ...org, what: 'a deleted org', ...isDeleted(orgPath) },
    { ...release, what: 'an erased release', withdraw: () => service.remove(releasePath) },
  ];
};

const names = ({ parameters }: Operation, called: readonly string[]): boolean =>
  parameters.some(({ example = '' }) => called.includes(example));

it('what is hidden, deleted, taken down, erased or to come is not there, whatever the route', async () => {
  const open = reads.filter(({ isPublic }) => isPublic);
  for (const { what, called, id, withdraw, bringBack } of withdrawals()) {
    const done = await withdraw();
    expect(done.status, what).toBeLessThan(300);
    const named = open.filter((operation) => names(operation, called));
    expect(named.length, what).toBeGreaterThan(3);
    for (const operation of open) {
      const path = examplePath(operation);
      const { status, body, text } = await ask(operation, path);
      if (status < 300 && text.includes(here(id))) problems.push(`${what} is shown by ${path}`);
      if (status >= 500) problems.push(`${what} breaks ${path}`);
      if (!named.includes(operation)) continue;
      const isUnknown = body?.error?.code === 'not_found' || body?.status === 'unknown'; // as whats-changed says it
      if (!isUnknown) problems.push(`${what} is there for ${path}: ${status} ${text.slice(0, 100)}`);
    }
    if (bringBack !== undefined) expect((await bringBack()).status, what).toBeLessThan(300);
  }
  told();
});
