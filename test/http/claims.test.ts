import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg } from '../spec/http/preamble.ts';

const callers = Array.from({ length: 50 }, (_, number) => number);

let service: HttpService;
/** One for each caller who changes something. */
let crowd: readonly { readonly id: string }[];
let homeId: string;

beforeAll(async () => {
  service = await startHttpService();
  crowd = await Promise.all(callers.map((number) => createTestOrg(service, `Crowd ${number}`)));
  ({ id: homeId } = await createTestOrg(service, 'Home'));
});
afterAll(() => service.close());

interface Claim {
  readonly wanted: string;
  /** Of the event that the winner alone writes. */
  readonly type: string;
  readonly field: string;
  readonly ask: (number: number) => Promise<HttpAnswer>;
  /** What the winner does to let go of it. */
  readonly letGo: (winner: HttpAnswer['body']) => Promise<HttpAnswer>;
  /** Where that was a deletion that can be taken back. */
  readonly restore?: (winner: HttpAnswer['body']) => Promise<HttpAnswer>;
}

const url = 'https://claims.example';
const deleted = (entities: 'orgs' | 'products' | 'sources') => ({
  letGo: ({ id }: { id: string }) => service.remove(`/v1/${entities}/${id}`),
  restore: ({ id }: { id: string }) => service.post(`/v1/${entities}/${id}/restore`, undefined),
});
const org = (fields: (number: number) => object) => ({
  type: 'OrgCreated.v1',
  ask: (number: number) => service.post('/v1/orgs', fields(number)),
  ...deleted('orgs'),
});
const changedOrg = (wanted: object, without: object) => ({
  type: 'OrgChanged.v1',
  ask: (number: number) => service.patch(`/v1/orgs/${crowd[number]!.id}`, wanted),
  letGo: ({ id }: { id: string }) => service.patch(`/v1/orgs/${id}`, without),
});
const source = (fields: (number: number) => object) => ({
  type: 'SourceCreated.v1',
  ask: (number: number) => service.post('/v1/sources', { url, ...fields(number) }),
  ...deleted('sources'),
});

const claims: readonly Claim[] = [
  { wanted: 'a slug for a new org', field: 'slug', ...org((n) => ({ name: `Slug ${n}`, slug: 'wanted' })) },
  { wanted: 'a domain for a new org', field: 'domain', ...org((n) => ({ name: `Domain ${n}`, domain: 'a.example' })) },
  { wanted: 'an alias for a new org', field: 'alias', ...org((n) => ({ name: `Alias ${n}`, aliases: ['b.example'] })) },
  {
    wanted: 'a slug for an org that is there',
    field: 'slug',
    ...changedOrg({ slug: 'wanted-too' }, { slug: 'without' }),
  },
  {
    wanted: 'a domain for an org that is there',
    field: 'domain',
    ...changedOrg({ domain: 'c.example' }, { domain: null }),
  },
  {
    wanted: 'an alias for an org that is there',
    field: 'alias',
    ...changedOrg({ aliases: ['d.example'] }, { aliases: [] }),
  },
  {
    wanted: 'an account',
    field: 'account',
    type: 'OrgAccountLinked.v1',
    ask: (number) =>
      service.post(`/v1/orgs/${crowd[number]!.id}/accounts`, {
        platform: 'github',
        handle: ['wanted', 'Wanted'][number % 2],
      }),
    letGo: async () => {
      const { events } = await service.registry.eventStore.readAll({
        afterPosition: 0,
        limit: 1_000,
        types: ['OrgAccountLinked.v1'],
      });
      return service.remove(`/v1/orgs/${events[0]!.stream.id}/accounts/github/wanted`);
    },
  },
  {
    wanted: 'a slug for a product',
    field: 'slug',
    type: 'ProductCreated.v1',
    ask: (number) => service.post('/v1/products', { name: `Product ${number}`, slug: 'wanted', orgId: homeId }),
    ...deleted('products'),
  },
  {
    wanted: 'a slug for a source',
    field: 'slug',
    ...source((number) => ({ name: `Source ${number}`, slug: 'wanted', orgId: homeId })),
  },
  {
    wanted: 'a slug for a source without an org',
    field: 'slug',
    ...source((number) => ({ name: `Alone ${number}`, slug: 'wanted' })),
  },
  {
    wanted: 'a package',
    field: 'package',
    ...source((number) => ({
      name: `Packed ${number}`,
      orgId: homeId,
      packages: [{ ecosystem: 'pypi', name: ['wanted_kit', 'Wanted.Kit'][number % 2] }],
    })),
  },
  {
    wanted: 'a slug for a collection',
    field: 'slug',
    type: 'CollectionCreated.v1',
    ask: (number) => service.post('/v1/collections', { name: `Collection ${number}`, slug: 'wanted' }),
    letGo: ({ slug }) => service.remove(`/v1/collections/${slug}`),
  },
];

describe('wanted by fifty at once, one gets it and the others nothing', () => {
  it.each(claims.map((claim) => [claim.wanted, claim] as const))(
    '%s',
    async (_, { type, field, ask, letGo, restore }) => {
      const before = await service.registry.eventStore.head();
      const answers = await Promise.all(callers.map(ask));
      const winners = answers.filter(({ status }) => status < 300);
      const others = answers.filter(({ status }) => status >= 300);
      expect(winners).toHaveLength(1);
      expect(others.map(({ status, body }) => [status, body.error.code, body.error.details.field])).toEqual(
        others.map(() => [409, 'conflict', field]),
      );
      const written = await service.registry.eventStore.readAll({ afterPosition: before, limit: 1_000, types: [type] });
      expect(written.events).toHaveLength(1);
      // Nobody who was refused holds it: it is free as soon as the winner lets go of it.
      expect((await letGo(winners[0]!.body)).status).toBeLessThan(300);
      const next = answers.findIndex(({ status }) => status >= 300);
      expect((await ask(next)).status).toBeLessThan(300);
      const restored = await restore?.(winners[0]!.body);
      if (restored) expect(restored.body.error).toMatchObject({ code: 'conflict', details: { field } });
    },
  );
});

it('is one domain, wanted as the domain of some and as an alias of others', async () => {
  const answers = await Promise.all(
    callers.map((number) =>
      service.post('/v1/orgs', {
        name: `Both ${number}`,
        ...(number % 2 === 0 ? { domain: 'both.example' } : { aliases: ['both.example'] }),
      }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  // What the others had claimed before they were refused is free again.
  const refused = answers.findIndex(({ status }) => status === 409);
  expect((await service.post('/v1/orgs', { name: 'Later', slug: `both-${refused}` })).status).toBe(201);
});
