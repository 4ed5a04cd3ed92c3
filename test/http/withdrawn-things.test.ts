import { afterAll, beforeAll, expect, it } from 'vitest';
import { allProjections } from '../../projections/all-projections.ts';
import { exampleIds } from '../../src/http/openapi/examples.ts';
import { examplePath, type Operation, type Parameter } from '../spec/http/example-registry.ts';
import type { HttpAnswer } from '../spec/http/http-service.ts';
import { type ExampleReads, openExampleReads } from '../spec/http/reads/example-reads.ts';
import {
  meaningOf,
  type NameForm,
  type Naming,
  saysNothingHasIt,
  type Thing,
} from '../spec/http/reads/parameter-meanings.ts';
import { openSearchWorld, type SearchWorld } from '../spec/worlds/search-world.ts';

type Named = 'org' | 'product' | 'source' | 'release' | 'collection';
type Names = Readonly<Partial<Record<NameForm, string>>> & { readonly id: string };

let world: SearchWorld;
let examples: ExampleReads;
let open: readonly Operation[];
let namesOf: Readonly<Record<Named, Names>>;

beforeAll(async () => {
  world = await openSearchWorld();
  examples = await openExampleReads({ search: world.reading });
  const { service, here } = examples;
  open = examples.reads.filter(({ isPublic }) => isPublic);
  const release = here(exampleIds.release);
  namesOf = {
    org: { slug: 'acme', id: here(exampleIds.org), domain: 'acme.example' },
    product: { slug: 'rocket', id: here(exampleIds.product) },
    source: { slug: 'rocket-cli', id: here(exampleIds.source) },
    release: { id: release, words: `${release}-faster-rockets` },
    collection: {
      slug: 'command-line-tools',
      id: (await service.get('/v1/collections/command-line-tools')).body.id,
    },
  };
  // What is searched knows nothing of what is withdrawn.
  await world.addReleases(service, [release]);
  await world.addSources([{ id: namesOf.source.id, about: 'Rockets with wings that fly in every weather.' }]);
});
afterAll(async () => {
  await examples.close();
  await world.close();
});

interface Withdrawal {
  readonly what: string;
  /** It, and what is nowhere without it. */
  readonly takes: readonly Named[];
  readonly withdraw: () => Promise<HttpAnswer>;
  readonly bringBack?: () => Promise<HttpAnswer>;
}

/** The last ones are for good. */
const withdrawals = (): readonly Withdrawal[] => {
  const { service } = examples;
  const hidden = (path: string) => ({
    withdraw: () => service.patch(path, { isHidden: true }),
    bringBack: () => service.patch(path, { isHidden: false }),
  });
  const deleted = (path: string) => ({
    withdraw: () => service.remove(path),
    bringBack: () => service.post(`${path}/restore`, undefined),
  });
  const [org, product, source, release] = [
    `/v1/orgs/${namesOf.org.id}`,
    `/v1/products/${namesOf.product.id}`,
    `/v1/sources/${namesOf.source.id}`,
    `/v1/releases/${namesOf.release.id}`,
  ];
  const ofOrg: readonly Named[] = ['org', 'product', 'source', 'release'];
  return [
    { what: 'a hidden source', takes: ['source', 'release'], ...hidden(source) },
    { what: 'a deleted source', takes: ['source', 'release'], ...deleted(source) },
    { what: 'a hidden product', takes: ['product'], ...hidden(product) },
    {
      what: 'a release that was taken down',
      takes: ['release'],
      withdraw: () => service.post(`${release}/suppress`, undefined),
      bringBack: () => service.post(`${release}/unsuppress`, undefined),
    },
    {
      what: 'a release of the future',
      takes: ['release'],
      withdraw: () => service.patch(release, { publishedAt: '2199-01-01' }),
      bringBack: () => service.patch(release, { publishedAt: '2026-01-01' }),
    },
    { what: 'a hidden org', takes: ofOrg, ...hidden(org) },
    { what: 'a deleted org', takes: ofOrg, ...deleted(org) },
    { what: 'a deleted product', takes: ['product'], ...deleted(product) },
    {
      what: 'a deleted collection',
      takes: ['collection'],
      withdraw: () => service.remove(`/v1/collections/${namesOf.collection.id}`),
    },
    { what: 'an erased release', takes: ['release'], withdraw: () => service.remove(release) },
  ];
};

interface Request {
  readonly operation: Operation;
  readonly naming: Naming;
  readonly path: string;
}

const isCalledFor = (thing: Thing, named: Named): boolean =>
  thing === named || (thing === 'part' && (named === 'product' || named === 'source'));

const namingRequests = (operation: Operation, parameter: Parameter, named: Named): Request[] => {
  const naming = meaningOf(operation, parameter);
  if (naming?.kind !== 'name' || !isCalledFor(naming.thing, named)) return [];
  return naming.forms
    .map((form) => namesOf[named][form])
    .filter((name) => name !== undefined)
    .map((name) => ({ operation, naming, path: examplePath(operation, { ...naming.beside, [parameter.name]: name }) }));
};

/** Every route that takes the name of such a thing, with each of the names that it takes. */
const requestsFor = (named: Named): Request[] =>
  open.flatMap((operation) => operation.parameters.flatMap((parameter) => namingRequests(operation, parameter, named)));

/** What was written is in all read models: which of them a route reads is not the matter here. */
const written = async (what: string, { status, headers }: HttpAnswer): Promise<void> => {
  expect(status, what).toBeLessThan(300);
  await examples.service.services.viewAfter(allProjections, Number(headers.get('x-service-position')));
};

const beginningOf = (text: string): string => text.slice(0, 100);

it('what is hidden, deleted, taken down, erased or to come is not there, by whatever name it is called', async () => {
  const found = new Set<Named>();
  for (const { what, takes, withdraw, bringBack } of withdrawals()) {
    const requests = takes.flatMap(requestsFor);
    expect(requests.length, what).toBeGreaterThan(5);
    // Before it is withdrawn, every one of them finds it; when it was brought back, one will do.
    const finding = takes.flatMap((named) => requestsFor(named).slice(0, found.has(named) ? 1 : undefined));
    takes.forEach((named) => found.add(named));
    for (const { operation, naming, path } of finding) {
      const answer = await examples.ask(operation, path);
      const isThere = answer.status < 300 && (naming.unless === 'ignored' || !saysNothingHasIt(naming, answer));
      if (!isThere) examples.tell(`before ${what}: ${path} is ${answer.status} ${beginningOf(answer.text)}`);
    }
    await written(what, await withdraw());
    for (const { operation, naming, path } of requests) {
      const answer = await examples.ask(operation, path);
      if (saysNothingHasIt(naming, answer)) continue;
      examples.tell(`${what} is there for ${path}: ${answer.status} ${beginningOf(answer.text)}`);
    }
    const asked = new Set(requests.map(({ path }) => path));
    for (const operation of open) {
      const path = examples.here(examplePath(operation));
      if (asked.has(path)) continue;
      const { status, text } = await examples.ask(operation, path);
      const shown = takes.filter((named) => text.includes(namesOf[named].id));
      if (status < 300 && shown.length > 0) examples.tell(`${what}: the ${shown.join()} is shown by ${path}`);
      if (status >= 500) examples.tell(`${what} breaks ${path}`);
    }
    if (bringBack !== undefined) await written(what, await bringBack());
  }
  examples.expectNoProblems();
});
