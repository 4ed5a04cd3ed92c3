import { describe, expect, it } from 'vitest';
import { createTouchedTags, touchedTagsBytes } from '../../../src/concurrency/shared-memory/touched-tags.ts';
import { createRequestMeter } from '../../../src/http/request-meter.ts';
import { createReadyAnswers, type Filled } from '../../../src/http/ready/ready-answers.ts';
import { createSendReady, type GoOn } from '../../../src/http/ready/send-ready.ts';
import { eventually } from '../../spec/eventually.ts';

type Response = Parameters<GoOn>[1];

const address = '/v1/releases/latest';

function setUp() {
  const tags = createTouchedTags(new SharedArrayBuffer(touchedTagsBytes));
  const clock = { nowMs: () => Date.UTC(2026, 0, 1, 12), sleep: async () => undefined };
  const ready = createReadyAnswers({
    bytesMax: 1_000_000,
    stamp: tags.stamp,
    isTouchedSince: tags.isTouchedSince,
    foreign: { isKnown: () => true, look: async () => undefined, isOwn: () => true, findOut: async () => true },
    nextDueMs: async () => null,
    clock,
    runLater: () => undefined,
  });
  const meter = createRequestMeter(
    [{ method: 'GET', path: address }],
    () => 0,
    () => undefined,
  );
  const ids = { requestId: () => 'req' } as Parameters<typeof createSendReady>[0]['ids'];
  const sendReady = createSendReady({ ready, trustedOrigins: [], ids, clock, meter });

  const filled = (text: string): Filled => ({
    answer: {
      status: 200,
      headers: {},
      plain: { etag: `"${text}"`, bytes: Buffer.from(text) },
      lastModified: undefined,
      routeNumber: 1,
    },
    tags: ['a'],
    keptMs: 60_000,
  });
  const make = (fill: () => Promise<Filled>) =>
    ready.get({ key: 'latest', address: () => address, isStatic: false, fill });

  /** Makes it again, until told what it has become. */
  function makeSlowly() {
    let end = (_text: string) => undefined as void;
    let fail = () => undefined as void;
    const promise = new Promise<Filled>((resolve, reject) => {
      end = (text) => resolve(filled(text));
      fail = () => reject(new Error('no read models'));
    });
    const made = make(() => promise);
    made.catch(() => undefined); // whoever waits for it is told
    return { made, end, fail };
  }

  /** What came of each request, in the order in which it did. */
  const outcomes: string[] = [];
  const goOn: GoOn = () => void outcomes.push('goes on');
  function ask(headers: Readonly<Record<string, string>> = {}): { headersSent: boolean } {
    const sent = { headersSent: false };
    const endReady: Response['endReady'] = (status, _lines, body) =>
      void outcomes.push(`${status} ${body?.toString()}`);
    const response = Object.assign(sent, { endReady }) as Response;
    void sendReady({ method: 'GET', url: address, headers } as Parameters<GoOn>[0], response, null, goOn);
    return sent;
  }
  return { tags, ready, filled, make, makeSlowly, outcomes, ask };
}

describe('who asks for what is just being made again', () => {
  it('gets it when it is there, without having it made', async () => {
    const { tags, filled, make, makeSlowly, outcomes, ask } = setUp();
    await make(async () => filled('old'));
    tags.touch(['a']);
    const { made, end } = makeSlowly();
    ask();
    ask();
    expect(outcomes).toEqual([]);
    end('new');
    await made;
    await eventually('both were answered', () => outcomes.length === 2);
    expect(outcomes).toEqual(['200 new', '200 new']);
  });

  it('takes it as it is where it would be compressed, which is done once for all', async () => {
    const { tags, filled, make, makeSlowly, outcomes, ask, ready } = setUp();
    await make(async () => filled('old'));
    tags.touch(['a']);
    const { made, end } = makeSlowly();
    const long = 'new '.repeat(1_000);
    ask({ 'accept-encoding': 'gzip' });
    ask({ 'accept-encoding': 'gzip' });
    end(long);
    await made;
    await eventually('both were answered', () => outcomes.length === 2);
    expect(outcomes).toEqual([`200 ${long}`, `200 ${long}`]);
    await eventually('it is compressed', () => ready.find(address)!.twins.has('gzip'));
  });

  it('has it made when something was written meanwhile', async () => {
    const { tags, filled, make, makeSlowly, outcomes, ask } = setUp();
    await make(async () => filled('old'));
    tags.touch(['a']);
    const { made, end } = makeSlowly();
    ask();
    tags.touch(['a']);
    end('older than the write');
    await made;
    await eventually('it went on', () => outcomes.length === 1);
    expect(outcomes).toEqual(['goes on']);
  });

  it('has it made when that has failed', async () => {
    const { tags, filled, make, makeSlowly, outcomes, ask } = setUp();
    await make(async () => filled('old'));
    tags.touch(['a']);
    const { made, fail } = makeSlowly();
    ask();
    fail();
    await expect(made).rejects.toThrow('no read models');
    await eventually('it went on', () => outcomes.length === 1);
    expect(outcomes).toEqual(['goes on']);
  });

  it('is not answered twice when its connection was given up meanwhile', async () => {
    const { tags, filled, make, makeSlowly, outcomes, ask } = setUp();
    await make(async () => filled('old'));
    tags.touch(['a']);
    const { made, end } = makeSlowly();
    const given = ask();
    ask();
    given.headersSent = true;
    end('new');
    await made;
    await eventually('the other one was answered', () => outcomes.length > 0);
    expect(outcomes).toEqual(['200 new']);
  });
});

it('who asks for what nobody makes goes on at once', async () => {
  const { tags, filled, make, outcomes, ask } = setUp();
  ask();
  await make(async () => filled('old'));
  tags.touch(['a']);
  ask();
  expect(outcomes).toEqual(['goes on', 'goes on']);
});

it('an answer that was made again is found under all addresses of the former', async () => {
  const { tags, ready, filled, make } = setUp();
  await make(async () => filled('old'));
  const other = `${address}?count=10`;
  await ready.get({ key: 'latest', address: () => other, isStatic: false, fill: async () => filled('unused') });
  tags.touch(['a']);
  await make(async () => filled('new'));
  for (const each of [address, other]) expect(ready.find(each)?.plain.etag).toBe('"new"');
});
