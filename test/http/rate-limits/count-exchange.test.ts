import { describe, expect, it } from 'vitest';
import { createCountExchange } from '../../../src/http/rate-limits/count-exchange.ts';
import type { CountsByPolicy, HeardCounts } from '../../../src/records/request-counts.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';

/** Other processes, and a timer that a test lets run out. */
function startExchange() {
  const told: CountsByPolicy[] = [];
  const heard: HeardCounts[] = [];
  const timers: (() => void)[] = [];
  const log = createKeptLog();
  const clock = createFakeClock();
  const toHear: HeardCounts[] = [];
  const looks: (() => void)[] = [];
  let isSlow = false;
  let failure: Error | null = null;
  const exchange = createCountExchange({
    requestCounts: {
      exchange: async (counts) => {
        told.push(counts);
        if (failure !== null) throw failure;
        return toHear.splice(0);
      },
      look: async () => {
        if (isSlow) await new Promise<void>((resolve) => looks.push(resolve));
        if (failure !== null) throw failure;
        return toHear.splice(0);
      },
    },
    clock,
    runLater: (_, run) => void timers.push(run),
    onHeard: (counts) => void heard.push(counts),
    log,
  });
  return {
    ...exchange,
    told,
    heard,
    log,
    tell: (counts: HeardCounts) => void toHear.push(counts),
    failWith: (error: Error | null) => {
      failure = error;
    },
    clock,
    /** The store answers a look when it is told to. */
    beSlow: () => {
      isSlow = true;
    },
    answerLooks: () => looks.splice(0).forEach((answer) => answer()),
    planned: () => timers.length,
    /** Runs what is planned, and waits for it as whoever closes does. */
    passTime: async () => {
      timers.splice(0).forEach((run) => run());
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    },
  };
}

describe('the exchange of counts', () => {
  it('tells each count once, and does nothing while nothing is counted', async () => {
    const exchange = startExchange();
    expect(exchange.planned()).toBe(0);
    exchange.note('anonymous', 1);
    exchange.note('anonymous', 1);
    exchange.note('token', 2);
    expect([exchange.planned(), exchange.told]).toEqual([1, []]);
    await exchange.passTime();
    expect(exchange.told).toEqual([{ anonymous: [[1, 2]], token: [[2, 1]] }]);
    expect(exchange.planned()).toBe(0);
    exchange.note('anonymous', 1);
    await exchange.passTime();
    expect(exchange.told.slice(1)).toEqual([{ anonymous: [[1, 1]] }]);
    expect(exchange.planned()).toBe(0);
  });

  it('hands on what others told', async () => {
    const exchange = startExchange();
    const heard = { ageMs: 100, counts: { anonymous: [[1, 2]] as const } };
    exchange.tell(heard);
    exchange.note('anonymous', 1);
    await exchange.passTime();
    expect(exchange.heard).toEqual([heard]);
  });

  it('tells of many clients in turn, of those with most requests first', async () => {
    const exchange = startExchange();
    for (let client = 0; client < 2_500; client += 1) exchange.note('anonymous', client);
    for (let turn = 0; turn < 3; turn += 1) exchange.note('anonymous', 2_400);
    while (exchange.planned() > 0) await exchange.passTime();
    const clients = exchange.told.map((counts) => counts['anonymous'] ?? []);
    expect(clients.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
    expect(clients[0]?.[0]).toEqual([2_400, 4]);
    expect(new Set(clients.flat().map(([client]) => client)).size).toBe(2_500);
  });

  it('holds a bounded number of clients', async () => {
    const exchange = startExchange();
    for (let client = 0; client < 100_000; client += 1) exchange.note('anonymous', client);
    while (exchange.planned() > 0) await exchange.passTime();
    expect(exchange.told.flatMap((counts) => counts['anonymous'] ?? []).length).toBe(20_000);
    exchange.note('anonymous', 100_001);
    await exchange.passTime();
    expect(exchange.told.at(-1)).toEqual({ anonymous: [[100_001, 1]] });
  });

  it('tells nothing twice when it failed, says so once, and goes on', async () => {
    const exchange = startExchange();
    exchange.failWith(new Error('away'));
    for (let turn = 0; turn < 3; turn += 1) {
      exchange.note('anonymous', turn);
      await exchange.passTime();
    }
    exchange.failWith(null);
    exchange.note('anonymous', 3);
    await exchange.passTime();
    expect(exchange.told.at(-1)).toEqual({ anonymous: [[3, 1]] });
    expect(exchange.log.lines.map(({ level }) => level)).toEqual(['warn']);
  });

  it('writes nothing after it was closed', async () => {
    const exchange = startExchange();
    exchange.note('anonymous', 1);
    await exchange.close();
    await exchange.passTime();
    exchange.note('anonymous', 1);
    expect([exchange.told, exchange.planned()]).toEqual([[], 0]);
  });

  it('is behind after a pause, and hears before the next request is decided', async () => {
    const exchange = startExchange();
    const heard = { ageMs: 100, counts: { anonymous: [[1, 2]] as const } };
    exchange.tell(heard);
    expect(exchange.isBehind()).toBe(true);
    await exchange.catchUp();
    expect([exchange.heard, exchange.told, exchange.isBehind()]).toEqual([[heard], [], false]);
    exchange.note('anonymous', 1);
    exchange.clock.advance(500);
    expect(exchange.isBehind()).toBe(false); // it is going to be asked
    await exchange.passTime();
    exchange.clock.advance(499);
    expect(exchange.isBehind()).toBe(false);
    exchange.clock.advance(1);
    expect(exchange.isBehind()).toBe(true);
  });

  it('looks once for all requests that come meanwhile, and keeps none of them for long', async () => {
    const exchange = startExchange();
    exchange.beSlow();
    const first = exchange.catchUp();
    expect(exchange.isBehind()).toBe(true);
    expect(exchange.catchUp()).toBe(first);
    let isLetGo = false;
    void first?.then(() => {
      isLetGo = true;
    });
    await exchange.passTime(); // longer than anybody waits
    expect(isLetGo).toBe(true);
    expect(exchange.catchUp()).toBeNull();
    exchange.answerLooks();
    await exchange.close();
    expect(exchange.isBehind()).toBe(false);
  });

  it('keeps nobody waiting while the store is away, and hears again when it is back', async () => {
    const exchange = startExchange();
    exchange.failWith(new Error('away'));
    await exchange.catchUp();
    exchange.clock.advance(1_000);
    expect(exchange.isBehind()).toBe(true);
    expect(exchange.catchUp()).toBeNull();
    await exchange.passTime();
    exchange.failWith(null);
    const heard = { ageMs: 100, counts: { anonymous: [[1, 2]] as const } };
    exchange.tell(heard);
    exchange.clock.advance(1_000);
    expect(exchange.catchUp()).toBeNull();
    await exchange.passTime();
    expect(exchange.heard).toEqual([heard]);
    exchange.clock.advance(1_000);
    expect(exchange.catchUp()).not.toBeNull();
    expect(exchange.log.lines.map(({ level }) => level)).toEqual(['warn']);
  });
});
