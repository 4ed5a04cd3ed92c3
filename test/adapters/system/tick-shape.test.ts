import { executionAsyncResource } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { expect, it } from 'vitest';
import { holdTickShape } from '../../../src/adapters/system/tick-shape.ts';
import { memoryInUse } from '../../spec/memory-in-use.ts';

const tickOfNode = (): Promise<object> =>
  new Promise((resolve) => process.nextTick(() => resolve(executionAsyncResource())));

const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('what is held has the shape of what Node makes for each turn', async () => {
  setFlagsFromString('--allow-natives-syntax');
  const haveSameShape = runInThisContext('(one, other) => %HaveSameMap(one, other)') as (...two: object[]) => boolean;
  const tick = await tickOfNode();
  expect(haveSameShape(await holdTickShape(), tick)).toBe(true);
  expect(haveSameShape({ callback: tick }, tick)).toBe(false);
});

it('it stays when nobody else has it', async () => {
  const held = new WeakRef(await holdTickShape());
  await macrotask(); // until then, whoever has looked at it keeps it
  memoryInUse(); // collects the garbage
  expect(held.deref()).toBeDefined();
});
