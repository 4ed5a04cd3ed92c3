import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { Projection } from '../../../src/kernel/projection.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { ReadModels } from '../../../src/ports/read-models.ts';
import { fillGenerations } from '../../../src/runtime/projector/filling/fill-generations.ts';
import { startLiveLooks } from '../../../src/runtime/projector/live-looks.ts';
import { createLiveReadModels, type ProjectedHere } from '../../../src/runtime/projector/live-read-models.ts';
import { createProjectionTarget } from '../../../src/runtime/projector/projection-target.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { namesProjection, opening, openProjectionWorld, type ProjectionWorld } from './projection-world.ts';

let world: ProjectionWorld;
beforeEach(async () => {
  world = await openProjectionWorld();
});
afterEach(() => world.close());

it('waits for the slowest of the read models that are asked for, and for no other', async () => {
  const [fast, slow] = [namesProjection('fast'), namesProjection('slow')];
  const filledTo = await world.createOrgs(2);
  await fillGenerations([fast, slow], { ...world, clock: systemClock, holder: 'setup' });
  const head = await world.createOrgs(2);
  const live = createLiveReadModels(world.readModels, [fast, slow], systemClock);
  const feed = async (projection: Projection): Promise<void> => {
    const model = (await live.current())!.of(projection);
    const lease = await model.leases.acquire('feed', 'test', 60_000);
    const target = await createProjectionTarget(projection, model, lease!);
    await target.feed(await world.store.readAll({ afterPosition: target.checkpoint(), limit: 100 }));
  };

  await feed(fast);
  expect(await live.lowestPosition([fast, slow])).toBe(filledTo);
  expect(await live.waitFor([fast, slow], head, 0)).toBe(false);
  expect(await live.waitFor([fast], head, 0)).toBe(true);
  await feed(slow);
  expect(await live.waitFor([fast, slow], head, 0)).toBe(true);
});

it('opens read models together, of which each costs a question to a server', async () => {
  const projections = [namesProjection('one'), namesProjection('other')];
  await fillGenerations(projections, { ...world, clock: systemClock, holder: 'setup' });
  let opening = 0;
  let openingMost = 0;
  const open: ReadModels['open'] = async (declaration) => {
    opening += 1;
    openingMost = Math.max(openingMost, opening);
    const model = await world.readModels.open<never>(declaration);
    opening -= 1;
    return model;
  };
  const live = createLiveReadModels({ ...world.readModels, open }, projections, systemClock);
  expect(await live.current()).not.toBeNull();
  expect(openingMost).toBe(2);
});

it('opens only those that are read here, and has none while another one is not live', async () => {
  const [read, other] = [namesProjection('read'), namesProjection('other')];
  const fill = (projections: readonly Projection[]) =>
    fillGenerations(projections, { ...world, clock: systemClock, holder: 'setup' });
  const opened: string[] = [];
  const open: ReadModels['open'] = (declaration) => {
    opened.push(declaration.name);
    return world.readModels.open<never>(declaration);
  };
  const live = createLiveReadModels({ ...world.readModels, open }, [read, other], systemClock, { opened: [read] });
  await fill([read]);
  expect(await live.current()).toBeNull();
  await fill([other]);
  expect((await live.current())!.of(read).declaration.name).toBe('read');
  expect(opened).toEqual(['read']);
});

describe('who waits for a position', () => {
  const names = ['fast', 'slow'] as const;
  const [fast, slow] = [namesProjection(names[0]), namesProjection(names[1])];
  const fill = (projections: readonly Projection[]) =>
    fillGenerations(projections, { ...world, clock: systemClock, holder: 'setup' });
  const feed = async (projection: Projection): Promise<void> => {
    const live = createLiveReadModels(world.readModels, [projection], systemClock);
    const model = (await live.current())!.of(projection);
    const lease = await model.leases.acquire('feed', 'test', 60_000);
    const target = await createProjectionTarget(projection, model, lease!);
    await target.feed(await world.store.readAll({ afterPosition: target.checkpoint(), limit: 100 }));
  };

  const setUp = async (projected?: ProjectedHere) => {
    await fill([fast, slow]);
    const head = await world.createOrgs(1);
    const asked: string[] = [];
    let pointersAsked = 0;
    const pointers = () => {
      pointersAsked += 1;
      return world.readModels.pointers();
    };
    const readModels = opening({ ...world.readModels, pointers }, (model) => ({
      checkpoint: () => {
        asked.push(model.declaration.name);
        return model.checkpoint();
      },
    }));
    const fake = createFakeClock();
    let sleeps = 0;
    const sleep: Clock['sleep'] = (...given) => {
      sleeps += 1;
      return fake.sleep(...given);
    };
    let setBackMs = 0; // what sleeps is woken all the same
    const clock = { nowMs: () => fake.nowMs() - setBackMs, sleep };
    const setBack = (ms: number) => {
      setBackMs += ms;
    };
    const live = createLiveReadModels(readModels, [fast, slow], clock, { ...(projected && { projected }) });
    let turns = 0;
    const pass = async (ms: number) => {
      turns += 1;
      await eventually('it waits', () => sleeps === turns);
      fake.advance(ms);
    };
    /** Until it waits again. */
    const settled = () => eventually('it waits', () => sleeps === turns + 1);
    return { live, head, asked, pointersAsked: () => pointersAsked, advance: fake.advance, pass, settled, setBack };
  };

  it('asks the stores when enough was written here, and now and then for what others write', async () => {
    let stamp = 0;
    const positions = { fast: 0, slow: 0 };
    const position = (name: string) => positions[name as keyof typeof positions];
    const { live, head, asked, pointersAsked, pass, settled } = await setUp({
      value: () => stamp,
      switches: () => 0,
      position,
    });
    const waiting = live.waitFor([fast, slow], head, 60_000);
    for (let turn = 0; turn < 3; turn += 1) await pass(1);
    stamp += 1;
    positions.fast = head;
    for (let turn = 0; turn < 3; turn += 1) await pass(1);
    await settled();
    expect(asked).toEqual(['fast', 'slow']);
    expect(pointersAsked()).toBe(1);
    stamp += 1;
    positions.slow = head;
    await pass(1);
    expect(await waiting).toBe(true);
    expect(asked).toEqual(['fast', 'slow']); // what was written here need not be asked for
    expect(pointersAsked()).toBe(1);

    positions.slow = 0;
    await feed(fast);
    const waitingForOthers = live.waitFor([fast, slow], head, 60_000);
    await settled();
    await feed(slow); // by another process: the stamp stands
    for (let turn = 0; turn < 10; turn += 1) await pass(1);
    expect(await Promise.race([waitingForOthers, settled().then(() => 'still waits')])).toBe(true);
    expect(asked).toEqual(['fast', 'slow', 'slow', 'slow']);
  });

  it('asks nothing before it is told where they are fed here, and seldom in case that others do by now', async () => {
    let stamp = 0;
    const positions = { fast: 0, slow: 0 };
    const position = (name: string) => positions[name as keyof typeof positions];
    await world.createOrgs(1);
    const { live, head, asked, pointersAsked, pass, settled } = await setUp({
      value: () => stamp,
      switches: () => 0,
      position,
    });
    const projected = (to: number) => {
      stamp += 1;
      positions.fast = to;
      positions.slow = to;
    };
    const first = live.waitFor([fast, slow], head, 60_000);
    await settled();
    projected(head);
    await pass(1);
    expect(await first).toBe(true);
    const askedBefore = [asked.length, pointersAsked()];

    const next = await world.createOrgs(1);
    const second = live.waitFor([fast, slow], next, 60_000);
    for (let turn = 0; turn < 15; turn += 1) await pass(1);
    await settled();
    expect([asked.length, pointersAsked()]).toEqual(askedBefore);
    projected(next);
    await pass(1);
    expect(await second).toBe(true);
    expect([asked.length, pointersAsked()]).toEqual(askedBefore);

    const last = await world.createOrgs(1);
    const third = live.waitFor([fast, slow], last, 60_000);
    await settled();
    for (const each of [fast, slow]) await feed(each); // by another process: the stamp stands
    await pass(99);
    await settled();
    await pass(1);
    expect(await Promise.race([third, settled().then(() => 'still waits')])).toBe(true);
    // From now on it is known that others feed them.
    const afterwards = await world.createOrgs(1);
    for (const each of [fast, slow]) await feed(each);
    expect(await Promise.race([live.waitFor([fast, slow], afterwards, 60_000), settled()])).toBe(true);
  });

  it('looks before it says that nothing came, however short it was to wait', async () => {
    const positions = { fast: 0 };
    await world.createOrgs(1);
    const { live, head } = await setUp({ value: () => 0, switches: () => 0, position: () => positions.fast });
    expect(await live.waitFor([fast], head, 0)).toBe(false);
    positions.fast = head - 1; // fed here, as far as was found
    await feed(fast); // by another process
    expect(await live.waitFor([fast], head, 0)).toBe(true);
  });

  it('does not ask those again that were there, but for a switch', async () => {
    const { live, head, asked, pass, settled } = await setUp();
    await feed(fast);
    const waiting = live.waitFor([fast, slow], head, 60_000);
    await pass(1);
    await settled();
    expect(asked).toEqual(['fast', 'slow', 'slow']);
    await fill([fast]);
    await pass(2);
    await settled();
    expect(asked.slice(3)).toEqual(['fast', 'slow']);
    await feed(slow);
    await pass(4);
    expect(await waiting).toBe(true);
  });

  it('asks what is live when it was switched here, and now and then in case that others did', async () => {
    let switches = 0;
    const projected = { value: () => 0, switches: () => switches, position: () => 0 };
    const { live, pointersAsked, advance } = await setUp(projected);
    const generationOf = async (projection: Projection) =>
      (await live.current())!.of(projection).declaration.generation;
    const first = await generationOf(fast);
    await fill([fast]);
    expect([await generationOf(fast), pointersAsked()]).toEqual([first, 1]);
    switches += 1;
    const second = await generationOf(fast);
    expect([second > first, pointersAsked()]).toEqual([true, 2]);
    await fill([fast]); // by another process
    advance(49);
    expect([await generationOf(fast), pointersAsked()]).toEqual([second, 2]);
    advance(51);
    expect(await generationOf(fast)).toBeGreaterThan(second);
  });

  it('is told when the time is over', async () => {
    const { live, head, pass } = await setUp({ value: () => 0, switches: () => 0, position: () => 0 });
    const waiting = live.waitFor([slow], head, 3);
    for (let turn = 0; turn < 3; turn += 1) await pass(1);
    expect(await waiting).toBe(false);
  });

  it('looks on after the clock was set back, and is told in time', async () => {
    const { live, head, pass, settled, setBack } = await setUp({
      value: () => 0,
      switches: () => 0,
      position: () => 0,
    });
    const waiting = live.waitFor([slow], head, 60_000);
    await pass(1);
    await settled();
    await feed(slow); // by another process: the stamp stands
    setBack(3_600_000);
    await pass(1);
    expect(await Promise.race([waiting, settled().then(() => 'still waits')])).toBe(true);
  });

  it('is told when the time is over by a clock that was set back meanwhile', async () => {
    const { live, head, pass, settled, setBack } = await setUp({
      value: () => 0,
      switches: () => 0,
      position: () => 0,
    });
    const waiting = live.waitFor([slow], head, 3);
    await pass(1);
    setBack(3_600_000);
    for (let turn = 0; turn < 2; turn += 1) await pass(1);
    expect(await Promise.race([waiting, settled().then(() => 'still waits')])).toBe(false);
  });
});

describe('after a switch to other folds', () => {
  const handOverMs = 30_000;
  const [old, young] = [namesProjection('names'), namesProjection('names', { generation: 2 })];
  const fill = (projection: Projection) =>
    fillGenerations([projection], { ...world, clock: systemClock, holder: 'setup' });

  const setUp = async () => {
    const clock = createFakeClock();
    await world.createOrgs(2);
    await fill(old);
    const live = createLiveReadModels(world.readModels, [old], clock, { handOverMs });
    const strict = createLiveReadModels(world.readModels, [old], clock);
    const served = await live.current();
    expect(await strict.current()).not.toBeNull();
    return { clock, live, strict, served };
  };

  it('what was live is served on for a while, whole, and then no longer', async () => {
    const { clock, live, strict, served } = await setUp();
    clock.advance(handOverMs - 1);
    expect(await live.current()).toBe(served);
    await fill(young);
    expect(await strict.current()).toBeNull();
    clock.advance(handOverMs - 1);
    expect(await live.current()).toBe(served);
    clock.advance(1);
    expect(await live.current()).toBeNull();
  });

  it('it is served on for as long by a process that nobody asks, and looks do not make it longer', async () => {
    const { clock, live, served } = await setUp();
    let looks = 0;
    const current = () => live.current().finally(() => (looks += 1));
    const looking = startLiveLooks({ live: { current }, clock, log: createKeptLog() });
    const passTime = async (ms: number) => {
      const before = looks;
      clock.advance(ms);
      await eventually('it has looked', () => looks > before);
    };
    await eventually('it has looked', () => looks === 1);
    for (let hour = 0; hour < 3; hour += 1) await passTime(3_600_000);
    await fill(young);
    await passTime(handOverMs - 1);
    expect(await live.current()).toBe(served);
    await passTime(1_000);
    expect(await live.current()).toBeNull();
    await looking.close();
  });

  it('a look that fails is told once and followed by the next', async () => {
    const clock = createFakeClock();
    const log = createKeptLog();
    let sleeps = 0;
    const sleep: Clock['sleep'] = (...given) => {
      sleeps += 1;
      return clock.sleep(...given);
    };
    const current = async () => {
      if (sleeps < 2) throw new Error('away');
      return null;
    };
    const looking = startLiveLooks({ live: { current }, clock: { ...clock, sleep }, log });
    for (let look = 1; look <= 4; look += 1) {
      await eventually('it has looked', () => sleeps === look);
      clock.advance(1_000);
    }
    await looking.close();
    expect(log.lines).toEqual([{ level: 'warn', sentence: 'the live read models cannot be looked at: away' }]);
  });

  it('it is not served on when it was last seen live too long ago, or is gone', async () => {
    const { clock, live } = await setUp();
    clock.advance(handOverMs);
    await fill(young);
    expect(await live.current()).toBeNull();

    const other = createLiveReadModels(world.readModels, [young], clock, { handOverMs });
    const { of } = (await other.current())!;
    await fill(namesProjection('names', { generation: 3 }));
    expect(await other.current()).not.toBeNull();
    await world.readModels.drop('names', of(young).declaration.generation);
    expect(await other.current()).toBeNull();
  });
});
