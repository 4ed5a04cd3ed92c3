import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProjectedStamp, type ProjectedStamp } from '../../../src/compose/threads/projected-stamp.ts';
import { createHttpApp, type HttpApp } from '../../../src/compose/http-app.ts';
import { cacheControlOf } from '../../../src/http/caching.ts';
import { isKeepable, type Route } from '../../../src/http/route.ts';
import { allRoutes, rootRoutes } from '../../../src/http/routes/all-routes.ts';
import { webRoutes } from '../../../src/http/routes/web/web-pages.ts';
import { examplePath, operationsOf, seedExamples, withIds } from '../../spec/http/example-registry.ts';
import {
  type HttpService,
  noLookups,
  rootApiKey,
  startHttpService,
  webBaseUrl,
  wideLimits,
} from '../../spec/http/http-service.ts';
import { type ServedApp, serveApp } from '../../spec/http/serve-app.ts';
import { createSeeded } from '../../spec/seeded.ts';
import { seedsToRun } from '../../spec/seeds.ts';
import {
  createKeepAliveClient,
  headerOf,
  type KeepAliveClient,
  type RawAnswer,
} from '../../spec/http/variants/keep-alive-client.ts';
import { type RawRequest, tellRequest } from '../../spec/http/variants/raw-request.ts';
import { plainRequest, requestVariants, shuffled } from '../../spec/http/variants/request-variants.ts';

/** A route whose answers are kept, and all the ways in which it is asked. */
interface Subject {
  readonly route: Route;
  readonly plain: RawRequest;
  readonly variants: readonly RawRequest[];
}

let service: HttpService;
let served: ServedApp & Pick<HttpApp, 'cache'>;
let client: KeepAliveClient;
/** Its own: a touch of it makes all that is kept old, and nothing else is written meanwhile. */
let stamp: ProjectedStamp;
let subjects: readonly Subject[];

/** Of each route; which ones is left to chance, so that all of them meet some route. */
const variantsOfEach = 200;

/** Another one each time, so that in time every variant is held against an answer that cannot come from memory. */
const [seed = 19] = seedsToRun(0);
const random = createSeeded(seed);

const kept = [
  ...allRoutes.map((route) => ({ route, place: '/v1' })),
  ...[...rootRoutes, ...webRoutes].map((route) => ({ route, place: '' })),
].filter(({ route }) => isKeepable(route));

/** Made for this request alone. */
const unkept = (request: RawRequest): Promise<RawAnswer> =>
  client.ask({ ...request, headers: [...request.headers, ['Cookie', 'a=b']] });

async function subjectOf(route: Route, address: string): Promise<Subject> {
  const [path = '', query = ''] = address.split('?');
  const plain = { path, pairs: query === '' ? [] : query.split('&') };
  const asked = plainRequest(plain);
  const others: RawRequest[] = [asked, { ...asked, headers: [['Accept', 'text/markdown']] }];
  const answers = await Promise.all(others.map(unkept));
  const told = (name: string) => [...new Set(answers.flatMap((answer) => headerOf(answer, name) ?? []))];
  const known = { etags: told('etag'), lastModified: told('last-modified') };
  return { route, plain: asked, variants: requestVariants(plain, { known, random, count: variantsOfEach }) };
}

beforeAll(async () => {
  service = await startHttpService({ allowPrivateTargets: true });
  const idsHere = await seedExamples(service);
  // Some answers tell the moment; at midnight they would all be others.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  stamp = createProjectedStamp();
  const app = await createHttpApp(
    { ...service.registry, projected: stamp },
    {
      rootApiKey,
      secretKey: new Uint8Array(32),
      webBaseUrl,
      trustedOrigins: ['https://trusted.example'],
      lookups: noLookups,
      rateLimits: wideLimits,
    },
  );
  served = { ...(await serveApp(app)), cache: app.cache };
  client = createKeepAliveClient(served.port);
  const operations = operationsOf((await service.get('/v1/openapi.json')).body);
  const made: Subject[] = [];
  for (const { route, place } of kept) {
    const path = `${place}${route.path}`.replace(/:(\w+)/g, '{$1}') || '/';
    const operation = operations.find((each) => each.method === 'GET' && each.path === path);
    if (operation === undefined) throw new Error(`${path} is not in the OpenAPI document`);
    made.push(await subjectOf(route, withIds(idsHere, examplePath(operation))));
  }
  subjects = made;
});
afterAll(async () => {
  vi.useRealTimers();
  client.close();
  await served.close();
  await service.close();
});

/** Of each request alone, or of the moment. */
const ownHeaders = new Set(['date', 'x-service-request-id', 'ratelimit', 'x-cache', 'server-timing', 'age']);

const digestOf = (body: Buffer): string => createHash('sha1').update(body).digest('base64url');

function tell(answer: RawAnswer): string {
  const { status, headers, body } = answer;
  const shared = headers.filter(([name]) => !ownHeaders.has(name)).map((header) => header.join(': '));
  return [status, ...shared.sort(), digestOf(body), body.toString('utf8', 0, 200)].join('\n');
}

/** What is told to whoever sends a cookie, told to everybody: only that it may be kept is different. */
function tellExpected(answer: RawAnswer, { route }: Subject): string {
  if (headerOf(answer, 'x-cache') === undefined) return tell(answer);
  const headers = answer.headers.map(([name, value]): [string, string] =>
    name === 'cache-control' ? [name, cacheControlOf(route.cache, false)] : [name, value],
  );
  return tell({ ...answer, headers });
}

const onlyIn = (some: string, other: string): string =>
  some
    .split('\n')
    .filter((line) => !other.split('\n').includes(line))
    .join(' | ');

/** Each of them is also held against an answer that cannot come from memory, which takes as long as all the rest. */
const isCheckedTwice = ({ route }: Subject, round: number): boolean => route.cache === 'document' || round % 4 === 0;

describe('answers that are kept ready', () => {
  it(`are the same as without, however strangely they were asked for first (seed ${seed})`, async () => {
    const differences: string[] = [];
    const expected = new Map<RawRequest, string>();
    const compare = (answer: RawAnswer, request: RawRequest, after: string): void => {
      const [told, wanted] = [tell(answer), expected.get(request)!];
      if (told === wanted) return;
      differences.push(`${tellRequest(request)} ${after}: ${onlyIn(told, wanted)} instead of ${onlyIn(wanted, told)}`);
    };
    const askFirst = async (subject: Subject, request: RawRequest, round: number): Promise<RawAnswer> => {
      if (isCheckedTwice(subject, round)) expected.set(request, tellExpected(await unkept(request), subject));
      const answer = await client.ask(request);
      const isKept = headerOf(answer, 'x-cache') === 'HIT' && subject.route.cache !== 'document'; // these never get old
      if (isKept) differences.push(`${tellRequest(request)} was kept though everything is old`);
      if (expected.has(request)) compare(answer, request, 'as the first one');
      else expected.set(request, tell(answer));
      return answer;
    };
    for (const subject of subjects) expected.set(subject.plain, tellExpected(await unkept(subject.plain), subject));
    const kept: RawRequest[] = [];
    for (let round = 0; round < variantsOfEach; round += 1) {
      stamp.announce(null);
      for (const subject of shuffled(random, subjects)) {
        const { plain, variants } = subject;
        const strange = variants[round]!;
        const answer = await askFirst(subject, strange, round);
        if (headerOf(answer, 'x-cache') === undefined) continue; // an error, which is nobody else's
        kept.push(strange);
        compare(await client.ask(plain), plain, `after ${tellRequest(strange)}`);
      }
    }
    for (const request of shuffled(random, kept)) compare(await client.ask(request), request, 'after all others');
    expect(differences.slice(0, 10)).toEqual([]);
    expect(served.cache().hits).toBeGreaterThan(kept.length);
  });
});
