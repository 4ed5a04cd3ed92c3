import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeOrg } from '../../../commands/org/change-org.ts';
import { createStub } from '../../../commands/org/create-stub.ts';
import { promoteOrg } from '../../../commands/org/promote-org.ts';
import { createSource } from '../../../commands/source/create-source.ts';
import { deleteSource } from '../../../commands/source/delete-source.ts';
import { orgProjection } from '../../../projections/org/org.ts';
import type { Command } from '../../../src/kernel/command.ts';
import type { DomainEvent } from '../../../src/kernel/event.ts';
import {
  type DailySweepDeps,
  hasLiveSource,
  startDailySweep,
  sweepOrgs,
} from '../../../src/runtime/jobs/daily-sweep.ts';
import type { MinuteJob } from '../../../src/runtime/jobs/every-minute.ts';
import { demoteOrg } from '../../../src/use-cases/demote-org.ts';
import { eventually } from '../../spec/eventually.ts';
import { openPurgeWorld, type PurgeWorld } from './purging/purge-world.ts';

const hourMs = 3_600_000;
let world: PurgeWorld;
let running: MinuteJob[];

beforeEach(async () => {
  world = await openPurgeWorld();
  running = [];
});
afterEach(async () => {
  for (const job of running) await job.close();
  await world.close();
});

const run = <Input, State, E extends DomainEvent, Facts extends object>(
  command: Command<Input, State, E, Facts>,
  input: object,
) => world.runners.commands.run(command, input, world.nextRequest());

const depsOf = (models: DailySweepDeps['models'] = async () => world.followed.live.models): DailySweepDeps => {
  const hasSource = async (orgId: string) => {
    await world.follow();
    return hasLiveSource(world.followed.live.models, orgId);
  };
  const { ops, clock, log } = world;
  return {
    ops,
    clock,
    log,
    holder: 'a',
    models,
    demote: (orgId) => demoteOrg({ commands: world.runners.commands, hasSource }, orgId, world.nextRequest()),
    promote: (orgId) => run(promoteOrg, { orgId, sources: {} }),
  };
};

const statusOf = async (orgId: string) => {
  await world.follow();
  return (await world.followed.live.models.of(orgProjection).get([orgId]))[0]?.status;
};

const locations = [{ github: 'acme/rocket', canonical: true }];
const addStub = async (name: string) =>
  (await run(createStub, { name, domain: `${name.toLowerCase()}.example`, locations })).id;
const addSource = async (orgId: string) =>
  (await run(createSource, { orgId, name: 'Log', url: 'https://acme.example/log' })).id;

describe('the sweep of orgs', () => {
  it('makes a stub of an org that has no source any more and is known by a location', async () => {
    const orgId = await addStub('Acme');
    const sourceId = await addSource(orgId);
    await run(promoteOrg, { orgId, sources: {} });
    await world.follow();
    await sweepOrgs(depsOf());
    expect(await statusOf(orgId)).toBe('tracked');
    await run(deleteSource, { sourceId });
    await world.follow();
    await sweepOrgs(depsOf());
    expect(await statusOf(orgId)).toBe('stub');
  });

  it('leaves an org alone that has no location', async () => {
    const { orgId, sourceId } = await world.small('Acme');
    await run(changeOrg, { orgId, changes: { locations: [] } });
    await run(deleteSource, { sourceId });
    await world.follow();
    await sweepOrgs(depsOf());
    expect(await statusOf(orgId)).toBe('tracked');
  });

  it('tracks a stub again to which a killed process has added a source', async () => {
    const orgId = await addStub('Acme');
    await addSource(orgId);
    await world.follow();
    await sweepOrgs(depsOf());
    expect(await statusOf(orgId)).toBe('tracked');
  });

  it('goes on behind one that fails', async () => {
    const orgIds = [await addStub('Acme'), await addStub('Other')];
    for (const orgId of orgIds) await run(promoteOrg, { orgId, sources: {} });
    await world.follow();
    const deps = depsOf();
    const first = orgIds.toSorted()[0]!;
    const demote = (orgId: string) =>
      orgId === first ? Promise.reject(new Error('no room on the disk')) : deps.demote(orgId);
    expect(await sweepOrgs({ ...deps, demote })).toBe(true);
    expect(await Promise.all(orgIds.toSorted().map(statusOf))).toEqual(['tracked', 'stub']);
    expect(world.log.lines.some(({ sentence }) => sentence === 'an org could not be swept')).toBe(true);
  });
});

describe('the daily sweep', () => {
  it('comes at 03:00 UTC, once a day, and later when nobody could look then', async () => {
    const looks: number[] = [];
    let isFilled = true;
    const models = async () => {
      looks.push(world.clock.nowMs());
      return isFilled ? world.followed.live.models : null;
    };
    running.push(await startDailySweep(depsOf(models)));
    const startMs = world.clock.nowMs(); // midnight
    const minutes = async (count: number) => {
      for (let minute = 0; minute < count; minute += 1) {
        world.clock.advance(60_000);
        await new Promise(setImmediate);
      }
    };
    await eventually('its first day is known', async () => {
      const stored = await world.ops.collection({ name: 'daily-sweeps', indexes: {} });
      return Boolean(await stored.get('orgs'));
    });
    await minutes(2 * 60);
    expect(looks).toEqual([]);
    await minutes(60);
    await eventually('it is swept', async () => {
      await minutes(1);
      return looks.length === 1;
    });
    expect(looks[0]).toBeGreaterThanOrEqual(startMs + 3 * hourMs);
    await minutes(10);
    expect(looks).toHaveLength(1);
    isFilled = false;
    world.clock.advance(24 * hourMs);
    await eventually('it has tried', async () => {
      await minutes(1);
      return looks.length >= 2;
    });
    isFilled = true;
    const tried = looks.length;
    await eventually('it tries again', async () => {
      await minutes(1);
      return looks.length === tried + 1;
    });
    await minutes(10);
    expect(looks).toHaveLength(tried + 1);
  });
});
