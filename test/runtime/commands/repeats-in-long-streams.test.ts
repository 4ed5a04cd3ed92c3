import { afterEach, beforeEach, expect, it } from 'vitest';
import { changeRelease } from '../../../commands/release/change-release.ts';
import { requestOf } from '../../spec/worlds/embedded-registry.ts';
import { openRevisedRelease, type RevisedRelease, webBaseUrl } from '../../spec/streams/revised-release.ts';

const dayMs = 24 * 3_600_000;

let world: RevisedRelease;
beforeEach(async () => {
  world = await openRevisedRelease();
});
afterEach(() => world.close());

it('a repeat of a batch answers as the first time, 500 events later', async () => {
  const { store, snapshots, ingest, revise } = world;
  const first = await ingest('first', 1);
  const second = await ingest('second', 2);
  await revise(500);
  const head = await store.head();
  expect(await ingest('first', 1)).toEqual(first);
  expect(await ingest('second', 2)).toEqual(second);
  await snapshots.forget([`release-${first.id}`]);
  expect(await ingest('second', 2)).toEqual(second);
  expect(await store.head()).toBe(head);
  expect([first.result, second.result]).toEqual(['inserted', 'revised']);
});

it('a repeat of a command answers as the first time, 500 events later and nearly a day on', async () => {
  const { store, runners, revise, releaseOf, pass } = world;
  const { id } = await releaseOf(20);
  const input = { releaseId: id, changes: { titleShort: 'Short' }, webBaseUrl };
  const first = await runners().commands.run(changeRelease, input, requestOf(1));
  for (let hour = 0; hour < 23; hour += 1) {
    pass(dayMs / 24);
    await revise(22);
  }
  const head = await store.head();
  const again = await runners().commands.run(changeRelease, input, requestOf(1));
  expect(again).toMatchObject({ id, position: first.position, state: first.state, repeated: true });
  expect(await store.head()).toBe(head);
});

it('a command is remembered by snapshots for a day, and not for ever', async () => {
  const { ingest, revise, recordOf, pass } = world;
  const { id } = await ingest('first');
  for (let event = 0; event < 60; event += 1) await ingest(`${event}`);
  const sizeOf = async () => (await recordOf(`release-${id}`))!.sealed.length;
  const before = await sizeOf();
  pass(2 * dayMs);
  await revise(100);
  expect(await sizeOf()).toBeLessThan(before);
});
