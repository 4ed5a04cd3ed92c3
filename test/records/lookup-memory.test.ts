import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEmbeddedOperationalStore } from '../../src/adapters/embedded/operational-store/operational-store.ts';
import type { OperationalStore } from '../../src/ports/operational-store.ts';
import { lookupMemoryDeclaration, openLookupMemory } from '../../src/records/lookup-memory.ts';
import { createFakeClock, type FakeClock } from '../spec/fake-clock.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

const hourMs = 3_600_000;
let folder: TempFolder;
let clock: FakeClock;
let ops: OperationalStore;

beforeEach(async () => {
  folder = createTempFolder();
  clock = createFakeClock();
  const onFatal = (error: Error) => {
    throw error;
  };
  ops = await createEmbeddedOperationalStore({ folder: folder.path, clock, onFatal });
});
afterEach(async () => {
  await ops.close();
  folder.remove();
});

it('remembers an empty repository for 6 hours and a missing one for 24', async () => {
  const memory = await openLookupMemory(ops, clock);
  await memory.remember('github:acme/empty', 'empty');
  await memory.remember('github:acme/missing', 'not_found');
  const recalled = async () => [await memory.recall('github:acme/empty'), await memory.recall('github:acme/missing')];
  expect(await recalled()).toEqual(['empty', 'not_found']);
  clock.advance(6 * hourMs - 1);
  expect(await recalled()).toEqual(['empty', 'not_found']);
  clock.advance(1);
  expect(await recalled()).toEqual([null, 'not_found']);
  clock.advance(18 * hourMs);
  expect(await recalled()).toEqual([null, null]);
});

it('has so many places and no more: of two coordinates with one place one is remembered', async () => {
  const memory = await openLookupMemory(ops, clock);
  const coordinates = Array.from({ length: 1_000 }, (_, number) => `github:acme/${number}`);
  await Promise.all(coordinates.map((coordinate) => memory.remember(coordinate, 'not_found')));
  const recalled = await Promise.all(coordinates.map((coordinate) => memory.recall(coordinate)));
  const remembered = recalled.filter((status) => status === 'not_found').length;
  const places = await ops.collection(lookupMemoryDeclaration);
  expect(await places.scan('', 2_000)).toHaveLength(remembered);
  expect(remembered).toBeLessThan(coordinates.length);
});
