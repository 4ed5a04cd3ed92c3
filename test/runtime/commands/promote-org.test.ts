import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { promoteOrg as promoteOrgCommand } from '../../../commands/org/promote-org.ts';
import { deleteSource } from '../../../commands/source/delete-source.ts';
import { createStub } from '../../../commands/org/create-stub.ts';
import { DomainError } from '../../../src/kernel/errors.ts';
import { foldEvents } from '../../../src/kernel/model.ts';
import { org } from '../../../src/domain/org/state.ts';
import { source } from '../../../src/domain/source/state.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { CommandRunner } from '../../../src/runtime/commands/command-runner.ts';
import { addSource } from '../../../src/use-cases/add-source.ts';
import { demoteOrg } from '../../../src/use-cases/demote-org.ts';
import { promoteOrg } from '../../../src/use-cases/promote-org.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../../spec/worlds/embedded-registry.ts';
import { createTempFolder } from '../../spec/temp-folder.ts';

const folder = createTempFolder();
let store: EventStore;
let commands: CommandRunner;
let nowMs = Date.UTC(2026, 0, 1);
let lastCommand = 0;
const nextRequest = () => requestOf((lastCommand += 1));
const isProductThere = () => true;

beforeAll(async () => {
  store = await openTestEventStore(folder.path);
  ({ commands } = createTestRunners(store, { nowMs: () => nowMs, sleep: async () => {} }));
});
afterAll(async () => {
  await store.close();
  folder.remove();
});

const locations = [
  { github: 'acme/rocket', canonical: true },
  { feed: 'https://acme.example/feed.xml', title: 'News' },
  { url: 'https://acme.example/changes' },
];
const newStub = async (name: string) =>
  (await commands.run(createStub, { name, domain: `${name}.example`, locations }, nextRequest())).id;
const orgState = async (id: string) => foldEvents(org, (await store.read(`org-${id}`)).events);
const sourcesOf = async (orgId: string) => {
  const { locations: stored } = await orgState(orgId);
  const streams = await Promise.all(stored.map(({ sourceId }) => store.read(`source-${sourceId}`)));
  return streams.map(({ events }) => foldEvents(source, events));
};
const allSources = async () => {
  const { events } = await store.readAll({ afterPosition: 0, limit: 1_000, types: ['SourceCreated.v1'] });
  return new Set(events.map(({ stream }) => stream.id));
};

/** Ends like a process that dies before its nth command of a kind. */
const dyingBefore = (name: string, nth: number): CommandRunner => {
  let seen = 0;
  return {
    run: async (command, input, request) => {
      if (command.name === name) seen += 1;
      if (seen >= nth) throw new Error('killed');
      return commands.run(command, input, request);
    },
  };
};

describe('promoting a stub', () => {
  it('makes a source of each location', async () => {
    const orgId = await newStub('acme');
    const { createdSources } = await promoteOrg({ commands, isProductThere }, orgId, nextRequest());
    expect(createdSources).toBe(3);
    expect(await sourcesOf(orgId)).toMatchObject([
      { name: 'rocket', type: 'github', url: 'https://github.com/acme/rocket', isPrimary: true, orgId },
      { name: 'acme', type: 'scrape', url: 'https://acme.example/changes', isPrimary: false },
      { name: 'News', type: 'feed', url: 'https://acme.example/feed.xml', metadata: { feedUrl: expect.anything() } },
    ]);
    expect(await orgState(orgId)).toMatchObject({ status: 'tracked', promotion: null });
    expect((await promoteOrg({ commands, isProductThere }, orgId, nextRequest())).createdSources).toBe(0);
  });

  it.each([
    ['CreateSource', 1],
    ['CreateSource', 2],
    ['CreateSource', 3],
    ['PromoteOrg', 1],
  ])('that died before %s number %i is ended by the next, with no source twice', async (name, nth) => {
    const orgId = await newStub(`died-${name}-${nth}`);
    const before = (await allSources()).size;
    const dying = dyingBefore(name, nth);
    await expect(promoteOrg({ commands: dying, isProductThere }, orgId, nextRequest())).rejects.toThrow('killed');
    await expect(promoteOrg({ commands, isProductThere }, orgId, nextRequest())).rejects.toMatchObject({
      code: 'promotion_in_progress',
    });
    nowMs += 10 * 60_000;
    expect((await promoteOrg({ commands, isProductThere }, orgId, nextRequest())).createdSources).toBe(3);
    expect((await allSources()).size).toBe(before + 3);
  });

  it('that failed lets another try at once', async () => {
    const orgId = await newStub('failing');
    const refusing: CommandRunner = {
      run: async (command, input, request) => {
        if (command.name === 'CreateSource') throw new Error('refused');
        return commands.run(command, input, request);
      },
    };
    await expect(promoteOrg({ commands: refusing, isProductThere }, orgId, nextRequest())).rejects.toThrow('refused');
    expect((await promoteOrg({ commands, isProductThere }, orgId, nextRequest())).createdSources).toBe(3);
  });

  it('makes a source of every location, whatever it is called', async () => {
    const untitled = Array.from({ length: 29 }, (_, number) => ({ url: `https://odd.example/${number}` }));
    const odd = [
      { github: 'odd/_' },
      { url: 'https://odd.example/news', title: '更新情報' },
      { url: 'https://odd.example/long', title: `${'x'.repeat(119)}\u{1F680} and more` },
    ];
    const fields = { name: 'Odd', domain: 'odd.example', locations: [...untitled, ...odd] };
    const { id: orgId } = await commands.run(createStub, fields, nextRequest());
    const { createdSources } = await promoteOrg({ commands, isProductThere }, orgId, nextRequest());
    expect(createdSources).toBe(32);
    const sources = await sourcesOf(orgId);
    expect(new Set(sources.map(({ slug }) => slug)).size).toBe(32);
    expect(sources.map(({ name }) => name)).toContain('x'.repeat(119));
  });

  it('that is taken up again brings back what was deleted meanwhile', async () => {
    const orgId = await newStub('resumed');
    const dying = dyingBefore('PromoteOrg', 1);
    await expect(promoteOrg({ commands: dying, isProductThere }, orgId, nextRequest())).rejects.toThrow('killed');
    const [made] = (await store.readAll({ afterPosition: 0, limit: 1_000, types: ['SourceCreated.v1'] })).events.filter(
      ({ data }) => (data as { orgId: string }).orgId === orgId,
    );
    await commands.run(deleteSource, { sourceId: made!.stream.id }, nextRequest());
    nowMs += 10 * 60_000;
    await promoteOrg({ commands, isProductThere }, orgId, nextRequest());
    expect((await sourcesOf(orgId)).map(({ lifecycle }) => lifecycle)).toEqual(['live', 'live', 'live']);
  });

  it('links its sources also when somebody else added one meanwhile', async () => {
    const orgId = await newStub('beside');
    const adding: CommandRunner = {
      run: async (command, input, request) => {
        if (command.name === 'PromoteOrg') await commands.run(promoteOrgCommand, { orgId, sources: {} }, nextRequest());
        return commands.run(command, input, request);
      },
    };
    const { position } = await promoteOrg({ commands: adding, isProductThere }, orgId, nextRequest());
    const { locations: stored } = await orgState(orgId);
    expect(stored.every(({ sourceId }) => sourceId !== null)).toBe(true);
    expect((await store.read(`org-${orgId}`)).events.at(-1)!.position).toBe(position);
  });

  it('of fifty at once is done by one', async () => {
    const orgId = await newStub('crowded');
    const before = (await allSources()).size;
    const tries = Array.from({ length: 50 }, () => promoteOrg({ commands, isProductThere }, orgId, nextRequest()));
    const outcomes = await Promise.allSettled(tries);
    const created = outcomes.filter((each) => each.status === 'fulfilled').map(({ value }) => value.createdSources);
    expect(created.filter((count) => count > 0)).toEqual([3]);
    expect((await allSources()).size).toBe(before + 3);
  });
});

describe('demoting an org', () => {
  const moreSources = (orgId: string) =>
    addSource({ commands }, { name: 'More', url: 'https://acme.example/more', orgId }, nextRequest());

  it('is taken back when a source came meanwhile', async () => {
    const orgId = await newStub('racing');
    await promoteOrg({ commands, isProductThere }, orgId, nextRequest());
    // The source is there, and found the org tracked; the first look at the read models did not show it yet.
    let looks = 0;
    const hasSource = async () => (looks += 1) > 1;
    await moreSources(orgId);
    await expect(demoteOrg({ commands, hasSource }, orgId, nextRequest())).rejects.toMatchObject({ code: 'conflict' });
    expect((await orgState(orgId)).status).toBe('tracked');
  });

  it('stays when the read models are behind', async () => {
    const orgId = await newStub('slow-to-show');
    await promoteOrg({ commands, isProductThere }, orgId, nextRequest());
    const hasSource = async (_: string, position: number) => {
      if (position > 0) throw new DomainError('projection_behind', { position: 0, requested: position });
      return false;
    };
    const demoting = demoteOrg({ commands, hasSource }, orgId, nextRequest());
    await expect(demoting).rejects.toMatchObject({ code: 'projection_behind' });
    expect((await orgState(orgId)).status).toBe('stub');
  });

  it('makes a stub, which its next source makes tracked again', async () => {
    const orgId = await newStub('there-and-back');
    await promoteOrg({ commands, isProductThere }, orgId, nextRequest());
    await demoteOrg({ commands, hasSource: async () => false }, orgId, nextRequest());
    expect((await orgState(orgId)).status).toBe('stub');
    const { position } = await moreSources(orgId);
    const { events } = await store.read(`org-${orgId}`);
    expect(events.at(-1)).toMatchObject({ type: 'OrgPromoted.v1', position });
  });
});
