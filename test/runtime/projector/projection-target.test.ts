import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Document, Projection } from '../../../src/kernel/projection.ts';
import type { ReadModel, ReadModelWrite } from '../../../src/ports/read-models.ts';
import { createProjectionTarget } from '../../../src/runtime/projector/projection-target.ts';
import { LeaseLost } from '../../../src/runtime/resilience/held-leases.ts';
import { namesProjection, openProjectionWorld, type ProjectionWorld } from './projection-world.ts';
import { countIn } from '../../spec/worlds/read-model-documents.ts';

let world: ProjectionWorld;

beforeEach(async () => {
  world = await openProjectionWorld();
});

afterEach(() => world.close());

/** A target over a model that tells how many changes each write had. */
async function open(projection: Projection, changesMax = Number.POSITIVE_INFINITY) {
  const model = await world.readModels.open(projection);
  const lease = await model.leases.acquire('feed', 'test', 60_000);
  const written: number[] = [];
  const watched: ReadModel = {
    ...model,
    write: async (write: ReadModelWrite<Document>) => {
      if (write.changes.length > changesMax) return 'too_large';
      written.push(write.changes.length);
      return model.write(write);
    },
  };
  return { model, lease: lease!, written, target: await createProjectionTarget(projection, watched, lease!) };
}

const everything = () => world.store.readAll({ afterPosition: 0, limit: 10_000 });

describe('one read model that is fed', () => {
  it('writes in steps that are bounded by bytes', async () => {
    const head = await world.createOrgs(12);
    const { model, target, written } = await open(namesProjection('large', { textLength: 1_500_000 }));
    await target.feed(await everything());
    expect(written.reduce((sum, changes) => sum + changes, 0)).toBe(12);
    expect(Math.max(...written)).toBeLessThanOrEqual(5);
    expect([target.checkpoint(), await model.checkpoint()]).toEqual([head, head]);
  });

  it('loads in steps that are bounded by bytes, however small the events are', async () => {
    const orgs = 60;
    const head = await world.createOrgs(orgs);
    const { model, lease } = await open(namesProjection('loading'));
    let held: Document[] = [];
    let most = { atOnce: 0, together: 0 };
    const large: ReadModel = {
      ...model,
      get: async (ids) => {
        const found = ids.map((id) => ({ id, text: 'x'.repeat(400_000) }));
        held = [...held, ...found];
        most = { atOnce: Math.max(most.atOnce, ids.length), together: Math.max(most.together, held.length) };
        return found as never;
      },
      write: async (write: ReadModelWrite<Document>) => {
        held = [];
        return model.write(write);
      },
    };
    const target = await createProjectionTarget(namesProjection('loading'), large, lease);
    await target.feed(await everything());
    expect(await countIn(model, { index: 'byName', equals: {} })).toBe(orgs);
    expect(target.checkpoint()).toBe(head);
    expect(most.atOnce).toBeLessThanOrEqual(16);
    expect(most.together).toBeLessThanOrEqual(20); // 8 MB
  });

  it('halves what its store does not take at once', async () => {
    const head = await world.createOrgs(12);
    const { target, written } = await open(namesProjection('small'), 4);
    await target.feed(await everything());
    expect(written.reduce((sum, changes) => sum + changes, 0)).toBe(12);
    expect(Math.max(...written)).toBeLessThanOrEqual(4);
    expect(target.checkpoint()).toBe(head);
  });

  it('says so when a single event is too large for its store', async () => {
    await world.createOrgs(2);
    const { target } = await open(namesProjection('small'), 0);
    await expect(target.feed(await everything())).rejects.toThrow(/too large for its store/);
  });

  it('stops right before an event that cannot be folded', async () => {
    await world.createOrgs(9);
    const broken = namesProjection('broken', {
      whenFolding: (name) => {
        if (name === 'Org 6') throw new Error('cannot fold this');
      },
    });
    const { model, target } = await open(broken);
    await expect(target.feed(await everything())).rejects.toThrow(/cannot fold this/);
    expect(await countIn(model, { index: 'byName', equals: {} })).toBe(5);
    expect(target.checkpoint()).toBe(await model.checkpoint());
    const next = await world.store.readAll({ afterPosition: target.checkpoint(), limit: 1, types: ['OrgCreated.v1'] });
    expect(next.events[0]?.data).toMatchObject({ name: 'Org 6' });
  });

  it('takes nothing for written once its lease is lost', async () => {
    await world.createOrgs(3);
    const { model, lease, target } = await open(namesProjection('lost'));
    await model.leases.release(lease);
    expect(await model.leases.acquire('feed', 'another', 60_000)).not.toBeNull();
    await expect(target.feed(await everything())).rejects.toThrow(LeaseLost);
    expect([target.checkpoint(), await model.checkpoint()]).toEqual([0, 0]);
    expect(await countIn(model, { index: 'byName', equals: {} })).toBe(0);
  });

  it('leaves its checkpoint where it was when documents cannot be written', async () => {
    await world.createOrgs(3);
    const projection = namesProjection('failing');
    const { model, lease } = await open(projection);
    const failing: ReadModel = {
      ...model,
      write: async (write: ReadModelWrite<Document>) => {
        if (write.changes.length > 0) throw new Error('the disk is full');
        return model.write(write);
      },
    };
    const target = await createProjectionTarget(projection, failing, lease);
    await expect(target.feed(await everything())).rejects.toThrow('the disk is full');
    expect([target.checkpoint(), await model.checkpoint()]).toEqual([0, 0]);
  });
});
