import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { instantsProjection } from '../../projections/instants/instants.ts';
import { orgProjection } from '../../projections/org/org.ts';
import { catalogueReads, createCatalogue } from '../../src/catalogue/catalogue.ts';
import type { ToldWrites } from '../../src/catalogue/follower.ts';
import type { ReadModelSet } from '../../src/ports/read-models.ts';
import { createGate } from '../contract/message-bus/recorder.ts';
import { openSampleRegistry, type SampleRegistry } from '../spec/worlds/sample-registry.ts';

let registry: SampleRegistry;
beforeEach(async () => {
  registry = await openSampleRegistry(catalogueReads);
});
afterEach(() => registry.close());

/** Read models of which some do something else before they tell their checkpoint. */
const withWork = (workOf: Readonly<Record<string, () => Promise<void>>>): ReadModelSet => ({
  of: (projection) => {
    const model = registry.models.of(projection);
    const work = workOf[projection.name];
    if (work === undefined) return model;
    const checkpoint = async () => {
      await work();
      return model.checkpoint();
    };
    return { ...model, checkpoint };
  },
});

it('looks at what others wrote for who asks so while what was told is brought in', async () => {
  const [asked, gate] = [createGate(), createGate()];
  let isGated = false;
  const models = withWork({
    [instantsProjection.name]: async () => {
      if (!isGated) return;
      asked.open();
      await gate.passed;
    },
  });
  /** Of the orgs all that was written here is known. */
  const told: ToldWrites = {
    switches: () => 0,
    position: (name) => (name === orgProjection.name ? 1 : 0),
    changedAfter: () => null,
  };
  const catalogue = await createCatalogue(models, { told });
  await registry.addOrg('before');
  await catalogue.refresh();
  isGated = true;
  const ofTold = catalogue.refreshTold();
  await asked.passed;
  await registry.addOrg('a');
  const look = catalogue.refresh();
  gate.open();
  await ofTold;
  expect(catalogue.orgBySlug('a')).toBeUndefined();
  await look;
  expect(catalogue.orgBySlug('a')).toBeDefined();
});

it('does not bring in anything beside what goes on behind a failure', async () => {
  const gate = createGate();
  const calls: string[] = [];
  let isFollowing = false;
  const models = withWork({
    [orgProjection.name]: async () => {
      if (isFollowing && !calls.includes('ended')) throw new Error('the store is away');
    },
    [instantsProjection.name]: async () => {
      if (!isFollowing) return;
      calls.push('begun');
      await gate.passed;
      calls.push('ended');
    },
  });
  const catalogue = await createCatalogue(models);
  await registry.addOrg('a');
  isFollowing = true;
  const failed = catalogue.refresh();
  failed.catch(() => undefined); // awaited below
  await nextTurn();
  const next = catalogue.refresh();
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  gate.open();
  await expect(failed).rejects.toThrow('the store is away');
  await next;
  expect(calls).toEqual(['begun', 'ended', 'begun', 'ended']);
  expect(catalogue.orgBySlug('a')).toBeDefined();
});
