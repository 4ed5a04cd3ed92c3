import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { issueTestToken } from '../spec/http/preamble.ts';
import { expectUnchanged } from '../spec/http/writes/expect-unchanged.ts';
import { untilPurged } from '../spec/http/writes/until-purged.ts';
import { createMaker, type Maker } from '../spec/http/writes/write-case.ts';
import { hookUrl, testResolver } from '../spec/worlds/webhook-world.ts';

let service: HttpService;
let make: Maker;
let writer: string;

beforeAll(async () => {
  service = await startHttpService({ resolver: testResolver });
  make = createMaker(service);
  writer = await issueTestToken(service, 'write');
});
afterAll(() => service.close());

type Kind = 'org' | 'product' | 'source' | 'release';
type Thing = HttpAnswer['body'];
type Outcome = readonly [status: number, code: string];

interface Reference {
  readonly what: string;
  readonly kind: Kind;
  /** Those who may do it see what is hidden. */
  readonly forAdmins?: true;
  /** Where it belongs to another org than what names it; absent where that is nothing wrong. */
  readonly ofAnother?: Outcome;
  /** What names the thing belongs to this org. */
  readonly request: (
    thing: Thing,
    orgId: string,
  ) => Promise<readonly [method: 'POST' | 'PATCH' | 'PUT', path: string, body: object]>;
}

const notFound: Outcome = [404, 'not_found'];
const contradicting: Outcome = [400, 'validation_failed'];
const url = 'https://example.com/news';

const memberships = (['org', 'product'] as const).flatMap((kind): Reference[] => {
  const member = ({ id }: Thing) => ({ [`${kind}Id`]: id });
  const members = async () => `/collections/${(await make.collection()).slug}/members`;
  return [
    {
      what: `the ${kind} that becomes a member`,
      kind,
      request: async (thing) => ['POST', await members(), member(thing)],
    },
    {
      what: `the ${kind} among all members`,
      kind,
      request: async (thing) => {
        const { id: orgId } = await make.org();
        return ['PUT', await members(), { members: [{ orgId }, member(thing)] }];
      },
    },
  ];
});

const references: readonly Reference[] = [
  {
    what: 'the org of a new product',
    kind: 'org',
    request: async ({ id }) => ['POST', '/products', { name: make.name(), orgId: id }],
  },
  {
    what: 'the org of a new source',
    kind: 'org',
    request: async ({ id }) => ['POST', '/sources', { name: make.name(), url, orgId: id }],
  },
  {
    what: 'the product of a new source',
    kind: 'product',
    ofAnother: notFound,
    request: async ({ id }, orgId) => ['POST', '/sources', { name: make.name(), url, orgId, productId: id }],
  },
  {
    what: 'the product of a source',
    kind: 'product',
    ofAnother: notFound,
    request: async ({ id }, orgId) => {
      const source = await service.create('/v1/sources', { name: make.name(), url, orgId });
      return ['PATCH', `/sources/${source.id}`, { productId: id }];
    },
  },
  {
    what: 'the product of a location',
    kind: 'product',
    ofAnother: contradicting,
    request: async ({ id }, orgId) => ['PATCH', `/orgs/${orgId}`, { locations: [{ url, productId: id }] }],
  },
  {
    what: 'the source of a location',
    kind: 'source',
    ofAnother: contradicting,
    request: async ({ id }, orgId) => ['PATCH', `/orgs/${orgId}`, { locations: [{ url, sourceId: id }] }],
  },
  ...memberships,
  {
    what: 'the release that covers another',
    kind: 'release',
    request: async ({ id }) => ['POST', `/releases/${(await make.release()).id}/coverage`, { coverageIds: [id] }],
  },
  {
    what: 'the org of a webhook',
    kind: 'org',
    forAdmins: true,
    request: async ({ id }) => ['POST', '/webhooks', { url: hookUrl, orgId: id }],
  },
  ...(['product', 'source'] as const).map(
    (kind): Reference => ({
      what: `the ${kind} of a webhook`,
      kind,
      forAdmins: true,
      ofAnother: notFound,
      request: async ({ id }, orgId) => ['POST', '/webhooks', { url: hookUrl, orgId, [`${kind}Id`]: id }],
    }),
  ),
];

/** Releases go with their source. */
const idOfEntity = (kind: Kind, { id, sourceId }: Thing): string => (kind === 'release' ? sourceId : id);
const pathOf = (kind: Kind, thing: Thing): string =>
  `/v1/${kind === 'release' ? 'source' : kind}s/${idOfEntity(kind, thing)}`;

/** A purge goes on behind the answer, and what it writes is not what is asked here. */
const purge = async (kind: Kind, thing: Thing) => {
  const answer = await service.remove(`${pathOf(kind, thing)}?hard=true`);
  await untilPurged(service, idOfEntity(kind, thing));
  return answer;
};

interface Fate {
  readonly fate: string;
  readonly befall: (kind: Kind, thing: Thing) => Promise<HttpAnswer>;
  readonly strikes: (reference: Reference) => boolean;
}

const fates: readonly Fate[] = [
  {
    fate: 'hidden',
    befall: (kind, thing) => service.patch(pathOf(kind, thing), { isHidden: true }),
    strikes: ({ forAdmins }) => !forAdmins,
  },
  { fate: 'deleted', befall: (kind, thing) => service.remove(pathOf(kind, thing)), strikes: () => true },
  { fate: 'deleted for good', befall: purge, strikes: () => true },
  {
    fate: 'erased',
    befall: (_, { id }) => service.remove(`/v1/releases/${id}`),
    strikes: ({ kind }) => kind === 'release',
  },
];

/** An answer that wrote nothing. */
const refusalOf = async ({ forAdmins, request }: Reference, thing: Thing, orgId: string) => {
  const [method, path, body] = await request(thing, orgId);
  const answers: HttpAnswer[] = [];
  await expectUnchanged(service.registry.eventStore, async () => {
    answers.push(await service.call(method, `/v1${path}`, { body, key: forAdmins ? rootApiKey : writer }));
  });
  return answers.map((answer) => [answer.status, answer.body.error.code]).flat();
};

const struck = fates.flatMap(({ fate, befall, strikes }) =>
  references.filter(strikes).map((reference) => [reference.what, fate, reference, befall] as const),
);

describe('what a body names is not found', () => {
  const things = new Map<(typeof struck)[number], Thing>();

  beforeAll(async () => {
    const strike = async (row: (typeof struck)[number]) => {
      const [, , { kind }, befall] = row;
      const thing = await make[kind]();
      const { status, text } = await befall(kind, thing);
      expect(status, text).toBe(200);
      things.set(row, thing);
    };
    await Promise.all(struck.map(strike));
  });

  it.each(struck.map((row) => [row[0], row[1], row] as const))('%s, %s', async (_, __, row) => {
    const thing = things.get(row);
    expect(await refusalOf(row[2], thing, thing.orgId)).toEqual(notFound);
  });
});

const ofOneOrg = references.filter(({ ofAnother }) => ofAnother !== undefined);

describe('what a body names belongs to the same org', () => {
  it.each(ofOneOrg.map((reference) => [reference.what, reference] as const))('%s', async (_, reference) => {
    const thing = await make[reference.kind]();
    const { id: anotherId } = await make.org();
    expect(await refusalOf(reference, thing, anotherId)).toEqual(reference.ofAnother);
  });
});

it.each(fates)('taking many releases down leaves one out: $fate', async ({ befall }) => {
  const release = await make.release();
  await befall('release', release);
  await expectUnchanged(service.registry.eventStore, async () => {
    const { status, body } = await service.post('/v1/releases/batch-suppress', { ids: [release.id] }, { key: writer });
    expect([status, body]).toEqual([200, { suppressed: 0, notFound: [release.id] }]);
  });
});
