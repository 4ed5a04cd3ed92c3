import { afterAll, beforeAll, expect, it } from 'vitest';
import { examplePath, type Operation, operationsOf, seedExamples, withIds } from '../spec/http/example-registry.ts';
import { type HttpAnswer, type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { openSearchWorld, type SearchWorld } from '../spec/worlds/search-world.ts';

let world: SearchWorld;
let service: HttpService;
/** What the made-up ids of the document are here. */
let idsHere: ReadonlyMap<string, string>;
let operations: readonly Operation[];

beforeAll(async () => {
  world = await openSearchWorld();
  service = await startHttpService({ allowPrivateTargets: true, search: world.reading });
  operations = operationsOf((await service.get('/v1/openapi.json')).body);
  idsHere = await seedExamples(service);
  const idsIn = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);
  await world.addReleases(service, idsIn((await service.get('/v1/releases/latest')).body.releases));
  const sourceIds = idsIn((await service.get('/v1/sources')).body.items);
  await world.addSources(sourceIds.map((id) => ({ id, about: 'Rockets with wings that fly in every weather.' })));
});
afterAll(async () => {
  await service.close();
  await world.close();
});

const send = (operation: Operation): Promise<HttpAnswer> =>
  service.call(operation.method, withIds(idsHere, examplePath(operation)), {
    key: operation.isPublic ? null : rootApiKey,
    redirect: 'manual', // an example that only leads to the answer is none
    ...(operation.body && { body: withIds(idsHere, JSON.stringify(operation.body)) }),
  });

/** What a read was asked for: all that is listed, or whatever a route that is not called a list finds. */
const listsIn = ({ operationId, method }: Operation, { body }: HttpAnswer): readonly (readonly unknown[])[] => {
  if (method !== 'GET' || body === null) return [];
  const lists = Array.isArray(body) ? [body] : Object.values(body).filter(Array.isArray);
  return operationId.startsWith('list')
    ? lists.slice(0, 1)
    : [body.items, body.releases, body.entries].filter(Array.isArray);
};

const isRestore = ({ operationId }: Operation): boolean => operationId.startsWith('restore');

it('every example is answered with success, and lists with something in them', async () => {
  const problems: string[] = [];
  const tell = ({ method, path }: Operation, { status, text }: HttpAnswer, wrong: string) =>
    problems.push(`${method} ${path}: ${wrong} (${status} ${text.slice(0, 200)})`);
  const sent = new Set<Operation>();
  const check = async (operation: Operation) => {
    sent.add(operation);
    if (operation.hasBody && operation.body === undefined)
      problems.push(`${operation.operationId} has no example body`);
    const answer = await send(operation);
    if (answer.status >= 300) tell(operation, answer, 'is refused');
    else {
      const lists = listsIn(operation, answer);
      if (operation.operationId.startsWith('list') && lists.length === 0) tell(operation, answer, 'is no list');
      if (lists.some((list) => list.length === 0)) tell(operation, answer, 'is empty');
    }
  };
  const of = (method: string) => operations.filter((operation) => operation.method === method);

  for (const method of ['GET', 'PUT', 'PATCH', 'POST']) {
    for (const operation of of(method).filter((one) => !isRestore(one))) await check(operation);
  }
  // What is deleted is brought back, because the same can be deleted in several ways.
  const restores = operations.filter(isRestore);
  const deepestFirst = of('DELETE').sort((a, b) => b.path.split('/').length - a.path.split('/').length);
  for (const operation of deepestFirst) {
    await check(operation);
    const deleted = operation.path.split('/').at(-2)!;
    const restore = restores.find(({ path }) => path.startsWith(`/v1/${deleted}/`));
    if (restore !== undefined) await check(restore);
  }
  expect(problems).toEqual([]);
  expect(operations.filter((operation) => !sent.has(operation)).map(({ operationId }) => operationId)).toEqual([]);
});

it('every operation has a name of its own that reads as one, and tags have one spelling', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^(get|list|create|update|set|delete|[a-z]+)([A-Z][a-z]+)*$/.test(id))).toEqual([]);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  expect(new Set(tags.map((tag) => tag.toLowerCase())).size).toBe(tags.length);
  expect(tags.filter((tag) => !/^[A-Z][a-z ]+$/.test(tag))).toEqual([]);
});
