import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { allWrites, named, prepareRequests, type Write } from '../spec/http/writes/all-writes.ts';
import { expectUnchanged } from '../spec/http/writes/expect-unchanged.ts';
import { createMaker, type WriteRequest } from '../spec/http/writes/write-case.ts';
import { testResolver } from '../spec/worlds/webhook-world.ts';

// Every route that writes, once, and once more: cheap enough to be done on every set of back ends.

let service: HttpService;
let requestOf: (write: Write) => WriteRequest;
let answers: ReadonlyMap<Write, HttpAnswer>;

const send = ({ route, idempotent, name }: Write, { path, body }: WriteRequest): Promise<HttpAnswer> =>
  service.call(route.method, `/v1${path}`, {
    key: rootApiKey,
    ...(idempotent && { headers: { 'idempotency-key': `once: ${name}`.replaceAll(' ', '-') } }),
    ...(body && { body }),
  });

const sendAll = async (writes: readonly Write[]): Promise<ReadonlyMap<Write, HttpAnswer>> =>
  new Map(await Promise.all(writes.map(async (write) => [write, await send(write, requestOf(write))] as const)));

// One after the other, each with the time that one hook has: on a busy machine servers take long to begin with.
beforeAll(async () => {
  service = await startHttpService({ resolver: testResolver });
});
beforeAll(async () => {
  requestOf = await prepareRequests(createMaker(service), allWrites);
});
beforeAll(async () => {
  answers = await sendAll(allWrites);
});
afterAll(() => service.close());

const positionOf = ({ headers }: HttpAnswer): number => Number(headers.get('x-service-position'));

describe('is done, and whoever names its position reads what it left', () => {
  it.each(named(allWrites))('%s', async (_, write) => {
    const answer = answers.get(write)!;
    expect(answer.status, answer.text).toBeLessThan(300);
    const position = positionOf(answer);
    expect(position).toBeGreaterThan(0);
    const { path, subject = path } = requestOf(write);
    if (write.subject === undefined) return;
    const read = await service.get(`/v1${subject}`, {
      key: rootApiKey,
      headers: { 'x-service-min-position': String(position) },
    });
    expect(read.status, read.text).toBe(write.route.method === 'DELETE' && subject === path ? 404 : 200);
  });
});

describe('done again writes nothing', () => {
  const isRepeatable = ({ route, idempotent, name }: Write): boolean =>
    idempotent === true || route.method === 'PATCH' || route.method === 'PUT' || name.endsWith('suppress');
  const repeatable = allWrites.filter(isRepeatable);
  let repeated: typeof answers;

  beforeAll(() =>
    expectUnchanged(service.registry.eventStore, async () => {
      repeated = await sendAll(repeatable);
    }),
  );

  it.each(named(repeatable))('%s', (_, write) => {
    const [first, second] = [answers.get(write)!, repeated.get(write)!];
    if (write.idempotent) expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect([second.status, positionOf(second)], second.text).toEqual([first.status, positionOf(first)]);
    expect(second.headers.get('idempotency-replayed')).toBe(write.idempotent ? 'true' : null);
  });
});
