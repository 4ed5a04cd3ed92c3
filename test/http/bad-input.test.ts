import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type HttpAnswer, type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { issueTestToken } from '../spec/http/preamble.ts';
import { allWrites, named, prepareRequests, type Write } from '../spec/http/writes/all-writes.ts';
import { badBodies } from '../spec/http/writes/bad-bodies.ts';
import { expectUnchanged } from '../spec/http/writes/expect-unchanged.ts';
import { untilPurged } from '../spec/http/writes/until-purged.ts';
import { createMaker, type Maker, type WriteRequest } from '../spec/http/writes/write-case.ts';
import { testResolver } from '../spec/worlds/webhook-world.ts';

let service: HttpService;
let make: Maker;
let writer: string;
/** Nothing that is refused changes what a request is about, so that they can share it. */
let requestOf: (write: Write) => WriteRequest;

beforeAll(async () => {
  service = await startHttpService({ resolver: testResolver });
  make = createMaker(service);
  writer = await issueTestToken(service, 'write');
  requestOf = await prepareRequests(make, allWrites);
});
afterAll(() => service.close());

const codeOf = ({ status, body }: HttpAnswer) => [status, body?.error?.code];
const invalid = [400, 'validation_failed'];

const expectNothingWritten = (calls: () => Promise<void>) => expectUnchanged(service.registry.eventStore, calls);

const withBody = allWrites.filter(({ route }) => route.body !== undefined);

/** Routes that share a body share its faults. */
const distinctBodies = withBody.filter(({ route }, index) => {
  const schemaOf = (write: Write) => z.toJSONSchema(write.route.body!, { io: 'input' });
  const own = z.toJSONSchema(route.body!, { io: 'input' });
  return !withBody.slice(0, index).some((earlier) => isDeepStrictEqual(schemaOf(earlier), own));
});

describe('a body that breaks its schema anywhere is refused, and nothing is written', () => {
  it.each(named(distinctBodies))('%s', async (_, write) => {
    const { path, body } = requestOf(write);
    await expectNothingWritten(async () => {
      for (const bad of badBodies(write.route.body!, { ...body })) {
        const answer = await service.call(write.route.method, `/v1${path}`, { body: bad.body });
        const allowed = [
          invalid,
          ...(bad.mayBeNotFound === true ? [[404, 'not_found']] : []),
          ...(write.name === 'POST /webhooks' && bad.what.startsWith('url: ') ? [[400, 'webhook_url_rejected']] : []),
        ];
        expect(allowed, bad.what).toContainEqual(codeOf(answer));
      }
    });
  });
});

describe('what is no JSON object is refused', () => {
  it.each(named(withBody))('%s', async (_, write) => {
    const { path } = requestOf(write);
    const call = (body: string | Uint8Array, type: string) =>
      service.call(write.route.method, `/v1${path}`, { body, headers: { 'content-type': type } });
    await expectNothingWritten(async () => {
      for (const text of ['[]', 'null', '"text"', '{"name": ', 'no json']) {
        expect(codeOf(await call(text, 'application/json')), text).toEqual([400, 'invalid_json']);
      }
      const notUtf8 = Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]);
      expect(codeOf(await call(notUtf8, 'application/json'))).toEqual([400, 'invalid_json']);
      expect(codeOf(await call('{}', 'text/plain'))).toEqual([400, 'unsupported_content_type']);
    });
  });
});

const send = ({ route }: Write, { path, body }: WriteRequest, key = rootApiKey): Promise<HttpAnswer> =>
  service.call(route.method, `/v1${path}`, { key, ...(body && { body }) });
const notFound = [404, 'not_found'];

describe('what is not there is not found', () => {
  it.each(named(allWrites.filter(({ route }) => route.path.includes('/:'))))('%s', async (_, write) => {
    // These are addressed by an id alone.
    const path = write.route.path
      .replace('/products/:identifier', '/products/prod_000000000000000000000')
      .replace('/releases/:id', '/releases/rel_000000000000000000000')
      .replace(/:\w+/g, 'nobody');
    await expectNothingWritten(async () => {
      expect(codeOf(await send(write, { ...requestOf(write), path })), path).toEqual(notFound);
    });
  });
});

/** Requests whose subjects all had something done to them. */
async function requestsAfter(
  writes: readonly Write[],
  act: (subject: string, request: WriteRequest) => Promise<HttpAnswer>,
) {
  const prepared = await prepareRequests(make, writes);
  const answers = await Promise.all(writes.map((write) => act(`/v1${prepared(write).subject}`, prepared(write))));
  for (const { status, text } of answers) expect(status, text).toBeLessThan(300);
  return prepared;
}

describe('what is deleted is not found', () => {
  const writes = allWrites.filter(({ subject }) => subject !== undefined);
  let requestOfDeleted: typeof requestOf;

  beforeAll(async () => {
    requestOfDeleted = await requestsAfter(writes, (subject) => service.remove(subject));
  });

  it.each(named(writes))('%s', async (_, write) => {
    await expectNothingWritten(async () => {
      expect(codeOf(await send(write, requestOfDeleted(write)))).toEqual(notFound);
    });
  });
});

describe('what is deleted for good is not found', () => {
  const isPurgeable = ({ subject, route }: Write): boolean =>
    subject !== undefined && !['/collections', '/webhooks'].some((path) => route.path.startsWith(path));
  const writes = allWrites.filter(isPurgeable);
  let requestOfPurged: typeof requestOf;

  beforeAll(async () => {
    requestOfPurged = await requestsAfter(writes, async (subject) => {
      const { id }: { id: string } = (await service.get(subject)).body;
      const entities = id.startsWith('org_') ? 'orgs' : id.startsWith('prod_') ? 'products' : 'sources';
      const answer = await service.remove(`/v1/${entities}/${id}?hard=true`);
      await untilPurged(service, id);
      return answer;
    });
  });

  it.each(named(writes))('%s', async (_, write) => {
    await expectNothingWritten(async () => {
      expect(codeOf(await send(write, requestOfPurged(write)))).toEqual(notFound);
    });
  });
});

describe('a release that is erased is not found', () => {
  const isOfRelease = ({ subject, route }: Write): boolean =>
    subject !== undefined && route.path.startsWith('/releases/:id');
  const writes = allWrites.filter(isOfRelease);
  let requestOfErased: typeof requestOf;

  beforeAll(async () => {
    requestOfErased = await requestsAfter(writes, (_, { path }) =>
      service.remove(`/v1${path.split('/').slice(0, 3).join('/')}`),
    );
  });

  it.each(named(writes))('%s', async (_, write) => {
    await expectNothingWritten(async () => {
      expect(codeOf(await send(write, requestOfErased(write)))).toEqual(notFound);
    });
  });
});

describe('what is below one org is not found below another', () => {
  const writes = allWrites.filter(({ route }) => route.path.startsWith('/orgs/:orgSlug/'));

  it.each(named(writes))('%s', async (_, write) => {
    const { slug } = await make.org();
    const { path, body } = requestOf(write);
    const elsewhere = path.replace(/^\/orgs\/[^/]+/, `/orgs/${slug}`);
    await expectNothingWritten(async () => {
      expect(codeOf(await send(write, { path: elsewhere, ...(body && { body }) }))).toEqual(notFound);
    });
  });
});

describe('what is hidden is not found but by admins', () => {
  const writes = allWrites.filter(({ subject }) => subject === 'hideable');
  let requestOfHidden: typeof requestOf;

  beforeAll(async () => {
    requestOfHidden = await requestsAfter(writes, (subject) => service.patch(subject, { isHidden: true }));
  });

  it.each(named(writes))('%s', async (_, write) => {
    const request = requestOfHidden(write);
    await expectNothingWritten(async () => {
      expect(codeOf(await send(write, request, writer))).toEqual(notFound);
    });
    const byAdmin = await send(write, request);
    expect(byAdmin.status, byAdmin.text).toBeLessThan(300);
  });
});
