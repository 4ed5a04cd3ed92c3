import { describe, expect, it } from 'vitest';
import { everythingTag, pendingTag } from '../../../projections/tags-of-write.ts';
import { createTouchedTags, touchedTagsBytes } from '../../../src/concurrency/shared-memory/touched-tags.ts';
import { eventually } from '../../spec/eventually.ts';
import { createReadyAnswers, type Filled } from '../../../src/http/ready/ready-answers.ts';

const startMs = Date.UTC(2026, 0, 1, 12);

interface Settings {
  readonly bytesMax?: number;
  readonly nextDueMs?: number;
}

function setUp({ bytesMax = 1_000_000, nextDueMs }: Settings = {}) {
  let nowMs = startMs;
  const clock = { nowMs: () => nowMs, sleep: async () => undefined };
  const tags = createTouchedTags(new SharedArrayBuffer(touchedTagsBytes));
  let isKnown = true;
  let isOwn = true;
  let isFoundOut = false;
  const later: (() => void)[] = [];
  let looksAhead = 0;
  const ready = createReadyAnswers({
    bytesMax,
    stamp: tags.stamp,
    isTouchedSince: tags.isTouchedSince,
    foreign: {
      isKnown: () => isKnown,
      look: async () => undefined,
      isOwn: () => isOwn,
      findOut: async () => isFoundOut,
    },
    nextDueMs: async () => {
      looksAhead += 1;
      return nextDueMs ?? null;
    },
    clock,
    runLater: (_ms, run) => void later.push(run),
  });
  let made = 0;
  const filled = (size = 10): Filled => ({
    answer: {
      status: 200,
      headers: {},
      plain: { etag: `"${(made += 1)}"`, bytes: Buffer.alloc(size) },
      lastModified: undefined,
      routeNumber: 1,
    },
    tags: ['a'],
    keptMs: 60_000,
  });
  const ask = async (key: string, fill: (isKept: boolean) => Promise<Filled> = async () => filled()) => {
    const { answer, isHit } = await ready.get({ key, address: () => `j${key}`, isStatic: false, fill });
    return `${answer.plain.etag} ${isHit ? 'HIT' : 'MISS'}`;
  };
  /** From then on what is asked for once is not kept. */
  const fillHalf = async (): Promise<void> => {
    for (let number = 0; ready.counts().bytes < bytesMax / 2; number += 1) {
      await ask(`kept ${number}`, async () => filled(4_000));
    }
  };
  return {
    setNow: (ms: number) => {
      nowMs = ms;
    },
    touch: tags.touch,
    ready,
    filled,
    ask,
    fillHalf,
    later,
    looksAhead: () => looksAhead,
    forgetAll: async () => {
      isOwn = false;
      await ready.passed([], 1);
      isOwn = true;
    },
    setKnown: (known: boolean) => {
      isKnown = known;
    },
    setOwn: (own: boolean) => {
      isOwn = own;
    },
    setFoundOut: (found: boolean) => {
      isFoundOut = found;
    },
  };
}

describe('answers that are kept ready', () => {
  it('are good until something that they were made of is written', async () => {
    const { ask, touch, ready } = setUp();
    expect([await ask('k'), await ask('k')]).toEqual(['"1" MISS', '"1" HIT']);
    expect(ready.find('jk')?.plain.etag).toBe('"1"');
    touch(['b']);
    expect(ready.find('jk')?.plain.etag).toBe('"1"');
    touch(['a']);
    expect(ready.find('jk')).toBeNull();
    expect(await ask('k')).toBe('"2" MISS');
  });

  it('are old when it is written that a release lies ahead, whatever they were made of', async () => {
    const { ask, touch, ready } = setUp();
    await ask('k');
    touch([pendingTag]);
    expect(ready.find('jk')).toBeNull();
  });

  it('are not kept when that is written while they are made', async () => {
    const { ask, touch, filled, ready } = setUp();
    const outdated = async () => {
      const answer = filled();
      touch(['a']);
      return answer;
    };
    expect(await ask('k', outdated)).toBe('"1" MISS');
    expect(ready.find('jk')).toBeNull();
    expect(await ask('k')).toBe('"2" MISS');
  });

  it('are made once for all who ask meanwhile, but not for who asks after a write', async () => {
    const { ask, touch, filled } = setUp();
    let end: ((answer: Filled) => void) | undefined;
    const slow = () =>
      new Promise<Filled>((resolve) => {
        end = resolve;
      });
    const [first, second] = [ask('k', slow), ask('k')];
    await eventually('it is being made', () => end !== undefined);
    touch(['a']);
    const third = ask('k');
    end?.(filled());
    expect(await first).toBe('"1" MISS');
    expect((await Promise.all([second, third])).map((answer) => answer.split(' ')[0])).toEqual(['"2"', '"2"']);
  });

  it('are made once for all who ask while something is written again and again', async () => {
    const { ask, touch, filled } = setUp();
    let fills = 0;
    const outdated = async () => {
      fills += 1;
      touch(['a']);
      return filled();
    };
    await Promise.all(Array.from({ length: 50 }, () => ask('k', outdated)));
    expect(fills).toBeLessThanOrEqual(2);
  });

  it('that are no answers but redirects are made for each who asks', async () => {
    const { ask, filled } = setUp();
    const redirect = async (): Promise<Filled> => {
      const made = filled();
      return { ...made, answer: { ...made.answer, status: 308 } };
    };
    const asked = await Promise.all([ask('k', redirect), ask('k', redirect)]);
    expect(asked.map((answer) => answer.split(' ')[0])).toEqual(['"1"', '"2"']);
  });

  it('fail for all who wait for them, and are made again for the next one', async () => {
    const { ask } = setUp();
    const broken = async (): Promise<Filled> => {
      throw new Error('broken');
    };
    await Promise.all([ask('k', broken), ask('k', broken)].map((asked) => expect(asked).rejects.toThrow('broken')));
    expect(await ask('k')).toBe('"1" MISS');
  });

  it('fail for nobody who asked after what they failed for was written', async () => {
    const { ask, touch } = setUp();
    let fail = () => {};
    const failing = new Promise<Filled>((_, reject) => (fail = () => reject(new Error('not there'))));
    const before = expect(ask('x', () => failing)).rejects.toThrow('not there');
    touch(['a']);
    const after = ask('x');
    fail();
    await before;
    expect(await after).toBe('"1" MISS');
  });

  it('end with their time, with the day, and when the next release appears', async () => {
    for (const [settings, aliveMs] of [
      [{}, 60_000],
      [{ nextDueMs: startMs + 5_000 }, 5_000],
    ] as const) {
      const { ask, setNow, ready } = setUp(settings);
      await ask('k');
      setNow(startMs + aliveMs - 1);
      expect(ready.find('jk')).not.toBeNull();
      setNow(startMs + aliveMs);
      expect(ready.find('jk')).toBeNull();
    }
    const { ask, setNow, ready } = setUp();
    setNow(Date.UTC(2026, 0, 1, 23, 59, 59));
    await ask('k');
    setNow(Date.UTC(2026, 0, 2));
    expect(ready.find('jk')).toBeNull();
  });

  it('know when the next release appears without asking, until one that lies ahead is written, or comes', async () => {
    const { ask, looksAhead, touch, setNow, forgetAll } = setUp({ nextDueMs: startMs + 5_000 });
    for (const key of ['one', 'two', 'three']) await ask(key);
    expect(looksAhead()).toBe(1);
    const changes: (() => void | Promise<void>)[] = [
      () => touch([pendingTag]),
      () => touch([everythingTag]),
      forgetAll,
      () => setNow(startMs + 5_000),
    ];
    for (const [number, change] of changes.entries()) {
      await change();
      await ask(`after change ${number}`);
      expect(looksAhead()).toBe(2 + number);
    }
  });

  it('are neither young nor good when the clock was set back', async () => {
    const { ask, setNow, ready } = setUp();
    await ask('k');
    setNow(startMs - 1);
    expect(ready.find('jk')).toBeNull();
  });

  it('are not sent while it is not known what others write, and forgotten when they did', async () => {
    const { ask, ready, setKnown, forgetAll } = setUp();
    await ask('k');
    setKnown(false);
    expect(ready.find('jk')).toBeNull();
    setKnown(true);
    expect(ready.find('jk')).not.toBeNull();
    await forgetAll();
    expect(ready.find('jk')).toBeNull();
  });

  it('are forgotten when a position was passed that this process did not tell of, nor found out about', async () => {
    const { ask, ready, setOwn, setFoundOut } = setUp();
    await ask('k');
    await ready.passed([], 7);
    expect(ready.find('jk')).not.toBeNull();
    setOwn(false);
    setFoundOut(true);
    await ready.passed([], 8);
    expect(ready.find('jk')).not.toBeNull(); // what was written is touched, and nothing else
    setFoundOut(false);
    await ready.passed([], 9);
    expect(ready.find('jk')).toBeNull();
  });

  it('take no more memory than they may; those that are asked for stay', async () => {
    const { ask, ready, filled } = setUp({ bytesMax: 60_000 });
    await ask('asked for');
    for (let number = 0; number < 100; number += 1) {
      expect(ready.find('jasked for')).not.toBeNull();
      // Each ten of them are asked for once more than those before.
      for (let asks = 0; asks < 2 + number / 10; asks += 1) await ask(`other ${number}`, async () => filled(4_000));
      expect(ready.counts().bytes).toBeLessThanOrEqual(60_000);
    }
    expect(ready.counts().evictions).toBeGreaterThan(60);
    await ask('large', async () => filled(10_000));
    expect(ready.find('jlarge')).toBeNull();
  });

  it('are found where there is no room for others, too, whoever writes the address in another way', async () => {
    const { ask, ready, filled, fillHalf } = setUp({ bytesMax: 60_000 });
    await ask('k');
    await fillHalf();
    const { answer, isHit } = await ready.get({
      key: 'k',
      address: () => null,
      isStatic: false,
      fill: async () => filled(),
    });
    expect([answer.plain.etag, isHit]).toEqual(['"1"', true]);
  });

  it('keep their compressed form, and whoever asks while it is made gets the plain one', async () => {
    const { ready, filled } = setUp();
    const fill = async () => filled(4_000);
    const { answer } = await ready.get({ key: 'k', address: () => 'jk', isStatic: false, fill });
    const { bytes } = ready.counts();
    const making = ready.compressed(answer, 'gzip');
    expect(await ready.compressed(answer, 'gzip')).toBeNull();
    const twin = await making;
    expect(ready.find('jk')!.twins.get('gzip')).toBe(twin);
    expect(ready.counts().bytes).toBe(bytes + twin!.bytes.length);
  });

  it('are compressed once for all who asked together where they are not kept', async () => {
    const { ready, filled, fillHalf } = setUp({ bytesMax: 60_000 });
    await fillHalf();
    const { bytes } = ready.counts();
    let end: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      end = resolve;
    });
    const fill = async (): Promise<Filled> => {
      await gate;
      return { ...filled(4_000), tags: null };
    };
    const asking = [1, 2].map(() => ready.get({ key: 'k', address: () => null, isStatic: false, fill }));
    end();
    const [first, second] = await Promise.all(asking);
    const twins = [first!, second!].map(({ answer }) => ready.compressed(answer, 'gzip'));
    const [twin, same] = await Promise.all(twins);
    expect(first!.answer).toBe(second!.answer);
    expect(twin).toBe(same);
    expect([twin!.etag, twin!.bytes.length < 4_000]).toEqual([first!.answer.plain.etag.replace(/"$/, '-gzip"'), true]);
    expect(await ready.compressed(first!.answer, 'br')).not.toBe(twin);
    expect(ready.counts().bytes).toBe(bytes);
  });

  it('are made once for all who ask meanwhile where they are not kept, too, but not for who asks after a write', async () => {
    const { ask, touch, filled, ready, fillHalf } = setUp({ bytesMax: 60_000 });
    await fillHalf();
    const { bytes, misses } = ready.counts();
    const ends: ((answer: Filled) => void)[] = [];
    const made: boolean[] = [];
    const slow = (isKept: boolean) => {
      made.push(isKept);
      return new Promise<Filled>((resolve) => {
        ends.push(resolve);
      });
    };
    const unnoted = (): Filled => ({ ...filled(), tags: null });
    const others = async (isKept: boolean) => {
      made.push(isKept);
      return isKept ? filled() : unnoted();
    };
    const first = ask('k', slow);
    await eventually('it is being made', () => ends.length === 1);
    const meanwhile = [ask('k', others), ask('k', others)];
    ends[0]!(unnoted());
    const [etag = ''] = (await first).split(' ');
    expect(await Promise.all(meanwhile)).toEqual([`${etag} HIT`, `${etag} HIT`]);
    expect(made).toEqual([false]);
    expect(ready.counts()).toMatchObject({ bytes, misses: misses + 1 });
    const before = ask('other', slow);
    await eventually('it is being made', () => ends.length === 2);
    touch(['whatever']);
    const after = ask('other', others);
    ends[1]!(unnoted());
    expect((await after).split(' ')[0]).not.toBe((await before).split(' ')[0]);
  });

  it('are found under the last ways to write their address, however many somebody makes up', async () => {
    const { ready, filled } = setUp();
    const asked = { key: 'k', isStatic: false, fill: async () => filled() };
    const askAs = (address: string) => ready.get({ ...asked, address: () => address });
    await askAs('usual');
    const { bytes } = ready.counts();
    for (let number = 0; number < 100; number += 1) await askAs(`str${10 + (number % 90)}`); // as long as the usual one
    await askAs('usual');
    expect(ready.find('usual')).not.toBeNull();
    expect(ready.find('str10')).toBeNull();
    expect(ready.counts().bytes).toBe(bytes + 7 * 2 * 'usual'.length);
  });

  it('leave the memory by themselves once they are no longer good', async () => {
    const { ask, ready, touch, later } = setUp();
    await ask('k');
    touch(['a']);
    expect(ready.counts().bytes).toBeGreaterThan(0);
    for (const run of later.splice(0)) run();
    expect(ready.counts().bytes).toBe(0);
    expect(later).toEqual([]);
  });
});
