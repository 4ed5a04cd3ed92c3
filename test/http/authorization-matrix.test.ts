import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { newEvent } from '../spec/events/events.ts';
import { issueTestTokens } from '../spec/http/preamble.ts';
import { allWrites, named, prepareRequests, unmatchedWrites, type Write } from '../spec/http/writes/all-writes.ts';
import { expectUnchanged } from '../spec/http/writes/expect-unchanged.ts';
import { createMaker, type Maker, type WriteRequest } from '../spec/http/writes/write-case.ts';
import { testResolver } from '../spec/worlds/webhook-world.ts';

const rungs = ['none', 'invalid', 'read', 'write', 'admin', 'root'] as const;
type Rung = (typeof rungs)[number];

interface Credential {
  readonly name: string;
  readonly rung: Rung;
  readonly key: string | null;
}

let service: HttpService;
let credentials: readonly Credential[];
let make: Maker;
/** For those who are refused, and one for each of the others: what is done cannot always be done again. */
let requestsOf: (write: Write) => readonly WriteRequest[];

beforeAll(async () => {
  service = await startHttpService({ resolver: testResolver });
  make = createMaker(service);
  const { reader, writer, admin } = await issueTestTokens(service);
  const [revoked, expired] = [await strongToken(), await strongToken()];
  await service.post(`/v1/tokens/${revoked.id}/revoke`, undefined);
  await expire(expired.id);
  credentials = [
    { name: 'no credential', rung: 'none', key: null },
    { name: 'read', rung: 'read', key: reader },
    { name: 'write', rung: 'write', key: writer },
    { name: 'admin', rung: 'admin', key: admin },
    { name: 'root', rung: 'root', key: rootApiKey },
    { name: 'a revoked token', rung: 'invalid', key: revoked.token },
    { name: 'an expired token', rung: 'invalid', key: expired.token },
    { name: 'a malformed token', rung: 'invalid', key: 'relk_short' },
    { name: 'a token with another secret', rung: 'invalid', key: `${admin.slice(0, -32)}${'0'.repeat(32)}` },
  ];
  const prepared = await Promise.all(
    ['refused', 'read', 'write', 'admin', 'root'].map(() => prepareRequests(make, allWrites)),
  );
  requestsOf = (write) => prepared.map((requestOf) => requestOf(write));
});
afterAll(() => service.close());

const strongToken = (): Promise<{ id: string; token: string }> =>
  service.create('/v1/tokens', { name: 'strong', scopes: ['admin'] });

/** No command sets a moment that has passed, so that nobody has to wait for one. */
async function expire(tokenId: string): Promise<void> {
  const changed = newEvent('TokenChanged.v1', { changed: { expiresAt: '2020-01-01T00:00:00.000Z' } });
  const { eventStore } = service.registry;
  const appended = await eventStore.append({ stream: `token-${tokenId}`, expectedVersion: 1, events: [changed] });
  expect(appended.outcome).toBe('appended');
}

const isAtLeast = (rung: Rung, needed: Rung): boolean => rungs.indexOf(rung) >= rungs.indexOf(needed);
const neededRung = ({ needs }: Write): Rung => (needs === 'credential' ? 'read' : needs);

const send = ({ route }: Write, { path, body }: WriteRequest, key: string | null, search = ''): Promise<HttpAnswer> =>
  service.call(route.method, `/v1${path}${search}`, { key, ...(body !== undefined && { body }) });

const codeOf = ({ status, body }: HttpAnswer) => [status, body?.error?.code];

const refusalOf = (rung: Rung): [number, string] => {
  if (rung === 'none') return [401, 'unauthorized'];
  return rung === 'invalid' ? [401, 'invalid_token'] : [403, 'insufficient_scope'];
};

const expectNothingWritten = (calls: () => Promise<void>) => expectUnchanged(service.registry.eventStore, calls);

it('knows every route that writes', () => {
  expect(unmatchedWrites()).toEqual([]);
});

const keyOf = (wanted: Rung) => credentials.find(({ rung }) => rung === wanted)?.key ?? null;

describe('a write is refused to all who have less than it needs, and done for the others', () => {
  it.each(named(allWrites))('%s', async (_, write) => {
    const [forRefused, ...forOthers] = requestsOf(write);
    const refused = credentials.filter(({ rung }) => !isAtLeast(rung, neededRung(write)));
    await expectNothingWritten(async () => {
      for (const { name, rung, key } of refused) {
        expect(codeOf(await send(write, forRefused!, key)), name).toEqual(refusalOf(rung));
      }
    });
    const others = credentials.filter((each) => !refused.includes(each));
    for (const [index, { name, key }] of others.entries()) {
      const answer = await send(write, forOthers[index]!, key);
      expect(answer.status, `${name}: ${answer.text}`).toBeLessThan(300);
      expect(Number(answer.headers.get('x-service-position')), name).toBeGreaterThan(0);
    }
  });
});

describe('a field that needs admin is refused to others', () => {
  it.each(named(allWrites.filter(({ adminFields }) => adminFields !== undefined)))('%s', async (_, write) => {
    const [request] = requestsOf(write);
    for (const [field, value] of Object.entries(write.adminFields ?? {})) {
      const withField = { ...request!, body: { ...request!.body, [field]: value } };
      await expectNothingWritten(async () => {
        const answer = await send(write, withField, keyOf('write'));
        expect(codeOf(answer), field).toEqual([403, 'forbidden']);
        expect(answer.body.error.details).toEqual({ option: field });
      });
      const done = await send(write, withField, keyOf('admin'));
      expect(done.status, done.text).toBeLessThan(300);
    }
  });
});

describe('an option that needs admin is refused to others', () => {
  it.each(named(allWrites.filter(({ adminQuery }) => adminQuery !== undefined)))('%s', async (_, write) => {
    const [request] = requestsOf(write);
    await expectNothingWritten(async () => {
      for (const option of write.adminQuery ?? []) {
        const answer = await send(write, request!, keyOf('write'), `?${option}=true`);
        expect(codeOf(answer), option).toEqual([403, 'forbidden']);
        expect(answer.body.error.details).toEqual({ option });
      }
    });
  });
});
