import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeChangelogFile } from '../../../../commands/changelog/store-changelog-file.ts';
import { createOrg } from '../../../../commands/org/create-org.ts';
import { deleteOrg } from '../../../../commands/org/delete-org.ts';
import { linkAccount } from '../../../../commands/org/link-account.ts';
import { purgeOrg } from '../../../../commands/org/purge-org.ts';
import { writeOverview } from '../../../../commands/overview/write-overview.ts';
import { writePlaybook } from '../../../../commands/playbook/write-playbook.ts';
import { purgeProduct } from '../../../../commands/product/purge-product.ts';
import { changeSource } from '../../../../commands/source/change-source.ts';
import { createSource } from '../../../../commands/source/create-source.ts';
import { deleteSource } from '../../../../commands/source/delete-source.ts';
import { purgeSource } from '../../../../commands/source/purge-source.ts';
import { writeSummary } from '../../../../commands/summary/write-summary.ts';
import { deletionsProjection } from '../../../../projections/deletions/deletions.ts';
import { releaseFeedProjection } from '../../../../projections/release-feed/release-feed.ts';
import type { Command } from '../../../../src/kernel/command.ts';
import type { DomainEvent } from '../../../../src/kernel/event.ts';
import { textsStream } from '../../../../src/domain/body/split-body.ts';
import { outlineOf } from '../../../../src/domain/changelog/outline.ts';
import { sourceSlugName } from '../../../../src/domain/name/name-streams.ts';
import { BackendUnavailable } from '../../../../src/kernel/backend-unavailable.ts';
import type { ReadModelSet } from '../../../../src/ports/read-models.ts';
import { newEvents } from '../../../../src/runtime/commands/new-events.ts';
import { linkCoverage } from '../../../../src/use-cases/link-coverage.ts';
import { systemRandom } from '../../../../src/adapters/system/random.ts';
import { createEmbeddedTimes } from '../../../../src/records/embedded-times.ts';
import { openPurgeJobs } from '../../../../src/records/purge-jobs.ts';
import { isPurgeWaiting, purgeRound } from '../../../../src/runtime/jobs/purging/purge-round.ts';
import { compareGenerations } from '../../../spec/compare/compare-generations.ts';
import { openPurgeWorld, type PurgeWorld } from './purge-world.ts';

const dayMs = 86_400_000;
const secret = 'a word that must go';

let world: PurgeWorld;

beforeEach(async () => {
  world = await openPurgeWorld();
});

afterEach(() => world.close());

const run = <Input, State, E extends DomainEvent, Facts extends object>(
  command: Command<Input, State, E, Facts>,
  input: object,
) => world.runners.commands.run(command, input, world.nextRequest());

const never = new AbortController().signal;

describe('a purge', () => {
  it('of an org leaves of it and of all below it nothing but that it was there', async () => {
    const acme = await world.small('Acme');
    const other = await world.small('Other');
    await run(linkAccount, { orgId: acme.orgId, account: { platform: 'github', handle: secret } });
    await run(writePlaybook, { orgId: acme.orgId, content: secret });
    for (const ownerId of [acme.orgId, acme.productId]) {
      await run(writeOverview, { ownerId, fields: { content: secret, releaseCount: 1 } });
    }
    await run(changeSource, {
      sourceId: acme.sourceId,
      changes: { name: secret, packages: [{ ecosystem: 'npm', name: 'acme-kit' }] },
    });
    await world.ingest(acme.sourceId, 5, secret + 'x'.repeat(600_000));
    expect(world.filesHolding(secret)).not.toEqual([]);

    await run(purgeOrg, { orgId: acme.orgId, isAsked: true });
    await world.purgeAll();
    const kept = [`org-${acme.orgId}`, `product-${acme.productId}`, `source-${acme.sourceId}`];
    const types = await Promise.all(kept.map(world.typesIn));
    expect(types).toEqual([
      ['OrgPurged.v1', 'PurgeCompleted.v1'],
      ['ProductPurged.v1', 'PurgeCompleted.v1'],
      ['SourcePurged.v1', 'PurgeCompleted.v1'],
    ]);
    for (const id of acme.releaseIds) expect(await world.typesIn(`release-${id}`)).toEqual(['ReleaseErased.v1']);
    expect(await world.typesIn(`playbook-${acme.orgId}`)).toEqual(['PlaybookRemoved.v1']);
    expect(await world.typesIn(`overview-${acme.productId}`)).toEqual(['OverviewRemoved.v1']);

    const { catalogue, models } = world.followed.live;
    expect([catalogue.org(acme.orgId), catalogue.source(acme.sourceId)]).toEqual([undefined, undefined]);
    expect(
      await models.of(releaseFeedProjection).query({ index: 'byOrg', equals: { orgId: acme.orgId }, limit: 9 }),
    ).toEqual([]);
    expect(catalogue.org(other.orgId)?.name).toBe('Other');
    // Every name is free: of the org, of its account and of a package two floors below.
    const again = await run(createOrg, { name: 'Acme' });
    expect(again.state.slug).toBe('acme');
    await run(linkAccount, { orgId: again.id, account: { platform: 'github', handle: secret } });
    const packages = [{ ecosystem: 'npm', name: 'acme-kit' }];
    await run(createSource, { orgId: again.id, name: 'New', url: 'https://acme.example', packages });
  });

  it('leaves no text in any file once the logs of the read models are emptied', async () => {
    const acme = await world.small('Acme');
    await run(changeSource, { sourceId: acme.sourceId, changes: { name: secret } });
    await run(writePlaybook, { orgId: acme.orgId, content: secret });
    await world.ingest(acme.sourceId, 3, secret);
    await run(purgeOrg, { orgId: acme.orgId, isAsked: true });
    await world.purgeAll();
    await world.followed.scrub();
    expect(world.filesHolding(secret)).toEqual([]);
  });

  it('comes 30 days after a deletion, and not to what was restored', async () => {
    const acme = await world.small('Acme');
    await run(deleteOrg, { orgId: acme.orgId });
    world.clock.advance(30 * dayMs);
    expect(await world.purgeAll()).toBe(0);
    world.clock.advance(1);
    await world.purgeAll();
    expect(await world.typesIn(`source-${acme.sourceId}`)).toEqual(['SourcePurged.v1', 'PurgeCompleted.v1']);
    expect(await isPurgeWaiting(world.deps)).toBe(false);
  });

  it('of a product leaves its sources', async () => {
    const acme = await world.small('Acme');
    await run(purgeProduct, { productId: acme.productId, isAsked: true });
    await world.purgeAll();
    expect(world.followed.live.catalogue.product(acme.productId)).toBeUndefined();
    expect(world.followed.live.catalogue.source(acme.sourceId)).toBeDefined();
    for (const id of acme.releaseIds) expect(await world.typesIn(`release-${id}`)).not.toContain('ReleaseErased.v1');
  });

  it('ends the links of its releases to those of others', async () => {
    const acme = await world.small('Acme');
    const other = await world.small('Other');
    const services = { ...world.runners, clock: world.clock, random: systemRandom };
    const link = (canonicalId: string, coverageId: string) =>
      linkCoverage(services, { canonicalId, coverageIds: [coverageId], decidedBy: 'human:test' }, world.nextRequest());
    await link(other.releaseIds[0]!, acme.releaseIds[0]!);
    await link(acme.releaseIds[1]!, other.releaseIds[1]!);
    await run(purgeSource, { sourceId: acme.sourceId, isAsked: true });
    await world.purgeAll();
    for (const id of acme.releaseIds) expect(await world.typesIn(`release-${id}`)).toEqual(['ReleaseErased.v1']);
    expect(await world.typesIn(`release-${other.releaseIds[1]}`)).toContain('CoverageUnlinked.v1');
  });

  it('walks in steps of 500, tells how far it is, and goes on from there', async () => {
    const acme = await world.small('Acme');
    for (let batch = 0; batch < 3; batch += 1) await world.ingest(acme.sourceId, 400, `text ${batch}`);
    await run(purgeSource, { sourceId: acme.sourceId, isAsked: true });
    await world.follow();
    const jobs = await openPurgeJobs(world.ops);
    const seen: string[] = [];
    // Each round by itself, as after a kill: nothing but what is stored is known to the next one.
    while (await purgeRound({ ...world.deps }, never)) {
      await world.follow();
      for (const { phase, done, total } of await jobs.list()) seen.push(`${phase} ${done}/${total}`);
    }
    expect(seen).toEqual([
      'counting 0/1220', // the releases,
      'counting 0/1220', // and the summaries
      'taking 0/1220',
      'taking 500/1220',
      'taking 1000/1220',
      'taking 1220/1220',
      'taking 1220/1220',
      'taking 1220/1220',
      'taking 1220/1220',
      'finishing 1220/1220',
      'done 1220/1220',
    ]);
  });

  it('leaves nothing behind of what came in meanwhile', async () => {
    const acme = await world.small('Acme');
    const late = await world.small('Late');
    // As somebody stores it who had read the parents before: the first append waits until all is purged.
    const asBefore = async (act: () => Promise<unknown>, purge: () => Promise<unknown>) => {
      world.beforeAppend(async () => {
        world.beforeAppend(null);
        await purge();
        await world.purgeAll();
      });
      await act();
    };
    await asBefore(
      () => world.ingest(acme.sourceId, 3, secret),
      () => run(purgeSource, { sourceId: acme.sourceId, isAsked: true }),
    );
    const texts = await world.small('Texts');
    const addCode = async (repository: string): Promise<string> =>
      (await run(createSource, { orgId: texts.orgId, name: repository, url: `https://github.com/acme/${repository}` }))
        .id;
    const [summed, filed] = [await addCode('summed'), await addCode('filed')];
    const purgeOf = (sourceId: string) => () => run(purgeSource, { sourceId, isAsked: true });
    const fields = { type: 'rolling', summary: secret, releaseCount: 1 };
    await asBefore(() => run(writeSummary, { sourceId: summed, fields }), purgeOf(summed));
    const outline = await outlineOf(secret, async (parts) => parts.map(() => 1));
    const file = { path: `${secret}.md`, content: secret };
    await asBefore(() => run(storeChangelogFile, { sourceId: filed, file, outline }), purgeOf(filed));
    const purgeLate = () => run(purgeOrg, { orgId: late.orgId, isAsked: true });
    await asBefore(() => run(writePlaybook, { orgId: late.orgId, content: secret }), purgeLate);
    await world.follow();
    expect(world.filesHolding(secret)).not.toEqual([]);
    expect(await isPurgeWaiting(world.deps)).toBe(true);
    await world.purgeAll();
    await world.followed.scrub();
    expect(world.filesHolding(secret)).toEqual([]);
    expect(await isPurgeWaiting(world.deps)).toBe(false);
  });

  it('finds the texts of changelog files by the files, too: what has begun them is forgotten after a while', async () => {
    const { orgId } = await world.small('Acme');
    const url = 'https://github.com/acme/filed';
    const { id: sourceId } = await run(createSource, { orgId, name: 'Filed', url });
    for (const path of ['one.md', 'two.md']) {
      const content = `${secret} in ${path}`;
      const outline = await outlineOf(content, async (parts) => parts.map(() => 1));
      await run(storeChangelogFile, { sourceId, file: { path, content }, outline });
    }
    await world.store.truncate(textsStream(sourceId), 2); // as the sweeper does
    const replaced = { path: 'one.md', content: 'Another one.' };
    const outline = await outlineOf(replaced.content, async (parts) => parts.map(() => 1));
    await run(storeChangelogFile, { sourceId, file: replaced, outline });
    await run(purgeSource, { sourceId, isAsked: true });
    await world.purgeAll();
    await world.followed.scrub();
    expect(world.filesHolding(secret)).toEqual([]);
  });

  it('leaves read models that are the same when they are built again', async () => {
    const acme = await world.small('Acme');
    const other = await world.small('Other');
    await run(deleteSource, { sourceId: other.sourceId });
    await run(purgeOrg, { orgId: acme.orgId, isAsked: true });
    await world.purgeAll();
    await compareGenerations(world.followed.live, await world.followed.rebuild());
  });
});

describe('a purge that cannot go on', () => {
  it('stops no other one, says why, and is tried again later and later', async () => {
    const bad = await world.small('Bad');
    const good = await world.small('Good');
    for (const { sourceId } of [bad, good]) await run(purgeSource, { sourceId, isAsked: true });
    let isBroken = true;
    const eraseBroken: typeof world.deps.batches = {
      run: async (command, input, request) => {
        const [first] = (input as { releaseIds: string[] }).releaseIds;
        if (isBroken && bad.releaseIds.includes(first!)) throw new Error('its stream is damaged');
        return world.deps.batches.run(command, input, request);
      },
    };
    await world.purgeAll({ batches: eraseBroken });
    expect(await world.typesIn(`source-${good.sourceId}`)).toContain('PurgeCompleted.v1');
    const jobs = await openPurgeJobs(world.ops);
    const jobOf = async (id: string) => (await jobs.find([id])).get(id);
    expect(await jobOf(bad.sourceId)).toMatchObject({ failures: 1, lastError: 'its stream is damaged' });
    expect(await isPurgeWaiting(world.deps)).toBe(false);
    world.clock.advance(1_000);
    await world.purgeAll({ batches: eraseBroken });
    expect(await jobOf(bad.sourceId)).toMatchObject({ failures: 2, retryAtMs: world.clock.nowMs() + 2_000 });
    isBroken = false;
    world.clock.advance(2_000);
    await world.purgeAll();
    expect(await jobOf(bad.sourceId)).toMatchObject({ phase: 'done', failures: 0, lastError: null });
  });

  it('waits where a back end is away', async () => {
    const acme = await world.small('Acme');
    await run(purgeSource, { sourceId: acme.sourceId, isAsked: true });
    const away = { run: () => Promise.reject(new BackendUnavailable('EventStoreDB')) };
    await expect(world.purgeAll({ batches: away })).rejects.toThrow(BackendUnavailable);
    expect((await (await openPurgeJobs(world.ops)).list())[0]).toMatchObject({ failures: 0 });
    await world.purgeAll();
    const [row] = await world.followed.live.models.of(deletionsProjection).get([acme.sourceId]);
    expect(row?.dueMs).toBeNull();
  });
});

describe('the order of a purge', () => {
  const isCompleted = async (id: string) => (await world.typesIn(`source-${id}`)).includes('PurgeCompleted.v1');

  it('is not at its end before the feed has seen what was stored before it', async () => {
    const acme = await world.small('Acme');
    await run(purgeSource, { sourceId: acme.sourceId, isAsked: true });
    const { models } = world.followed.live;
    let hasPassed = false;
    const behind: ReadModelSet = {
      of: (projection) => {
        const model = models.of(projection);
        return projection.name === releaseFeedProjection.name && !hasPassed
          ? { ...model, query: async () => [] }
          : model;
      },
    };
    const passed = async () => {
      await world.follow();
      hasPassed = true;
    };
    await world.purgeAll({ models: async () => behind, passed });
    expect(await isCompleted(acme.sourceId)).toBe(true);
    for (const id of acme.releaseIds) expect(await world.typesIn(`release-${id}`)).toEqual(['ReleaseErased.v1']);
  });

  it('is not at its end before texts are erased and read models scrubbed', async () => {
    const acme = await world.small('Acme');
    await run(purgeSource, { sourceId: acme.sourceId, isAsked: true });
    const isErased = async (position: number) => position === 0; // the eraser stands still
    await world.purgeAll({ isErased });
    expect(await isCompleted(acme.sourceId)).toBe(false);
    world.clock.advance(dayMs);
    const scrub = () => Promise.reject(new Error('a reader keeps the log'));
    await world.purgeAll({ scrub });
    expect(await isCompleted(acme.sourceId)).toBe(false);
    world.clock.advance(dayMs);
    await world.purgeAll();
    expect(await isCompleted(acme.sourceId)).toBe(true);
  });

  it('leaves no time at which texts got vectors, though one was noted before the search index had passed it', async () => {
    const acme = await world.small('Acme');
    const times = await createEmbeddedTimes(world.ops);
    const embed = () => times.record([acme.sourceId], world.clock.nowMs());
    await embed();
    await run(purgeSource, { sourceId: acme.sourceId, isAsked: true });
    await world.purgeAll({ scrub: embed });
    expect(await isCompleted(acme.sourceId)).toBe(true);
    expect(await times.latestOf([acme.sourceId])).toBeNull();
  });

  it('shows why it waits for the eraser, and saves that only when it is another reason', async () => {
    const acme = await world.small('Acme');
    await run(purgeSource, { sourceId: acme.sourceId, isAsked: true });
    const isErased = async () => false;
    const jobs = await openPurgeJobs(world.ops);
    let saves = 0;
    const save: typeof jobs.save = (...saved) => {
      saves += 1;
      return jobs.save(...saved);
    };
    const waitsFor = async (failure: string | null) => {
      const eraserFailure = async () => failure;
      await world.purgeAll({ isErased, eraserFailure, jobs: { ...jobs, save } });
      const { phase, lastError, failures } = (await jobs.list())[0]!;
      return { phase, lastError, failures };
    };
    const stuck = {
      phase: 'finishing',
      lastError: 'its texts cannot be erased yet: a reader keeps the log',
      failures: 0,
    };
    expect(await waitsFor('a reader keeps the log')).toEqual(stuck);
    const savesBefore = saves;
    expect(await waitsFor('a reader keeps the log')).toEqual(stuck);
    expect(saves).toBe(savesBefore);
    expect(await waitsFor(null)).toEqual({ phase: 'finishing', lastError: null, failures: 0 });
  });

  it('frees names that a command which was killed has left', async () => {
    const acme = await world.small('Acme');
    const stream = `source-${acme.sourceId}`;
    const { version } = await world.store.read(stream);
    const data = { orgId: acme.orgId, purgedAt: '2026-03-01T00:00:00.000Z' };
    const target = { stream, expectedVersion: version };
    const purged = newEvents([{ type: 'SourcePurged.v1', data }], target, world.nextRequest(), data.purgedAt);
    await world.store.append({ ...target, events: purged });
    const slug = sourceSlugName(acme.orgId, world.followed.live.catalogue.source(acme.sourceId)!.slug);
    expect(await world.typesIn(slug)).toEqual(['NameClaimed.v1']);
    await world.purgeAll();
    expect(await world.typesIn(slug)).toEqual(['NameClaimed.v1', 'NameReleased.v1']);
  });

  it('lets no id come back: a create that is repeated takes another one', async () => {
    const acme = await world.small('Acme');
    const request = world.nextRequest();
    const input = { orgId: acme.orgId, name: 'Twice', url: 'https://twice.example' };
    const { commands } = world.runners;
    const first = await commands.run(createSource, input, request);
    await run(purgeSource, { sourceId: first.id, isAsked: true });
    await world.purgeAll();
    const second = await commands.run(createSource, input, request);
    expect(second.id).not.toBe(first.id);
    expect(await world.typesIn(`source-${first.id}`)).toEqual(['SourcePurged.v1', 'PurgeCompleted.v1']);
  });
});
