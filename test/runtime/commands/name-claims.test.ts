import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeOrg } from '../../../commands/org/change-org.ts';
import { createOrg } from '../../../commands/org/create-org.ts';
import { deleteOrg } from '../../../commands/org/delete-org.ts';
import { restoreOrg } from '../../../commands/org/restore-org.ts';
import { createTag } from '../../../commands/tag/create-tag.ts';
import { domainName, orgSlugName, tagSlugName } from '../../../src/domain/name/name-streams.ts';
import type { CommandRequest } from '../../../src/kernel/command.ts';
import { isDomainError } from '../../../src/kernel/errors.ts';
import { parseStream } from '../../../src/kernel/stream-name.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { CommandRunner } from '../../../src/runtime/commands/command-runner.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../../spec/worlds/embedded-registry.ts';
import { gatedEventStore } from '../../spec/gated-event-store.ts';
import { createInterleaving } from '../../spec/interleaving.ts';
import { holdersOf, orgsInStore } from '../../spec/worlds/orgs-in-store.ts';
import { createSeeded, type Seeded } from '../../spec/seeded.ts';
import { seedsToRun } from '../../spec/seeds.ts';
import { createTempFolder } from '../../spec/temp-folder.ts';

const actorCount = 4;
const operationsEach = 3;
const seeds = seedsToRun(30);

const folder = createTempFolder();
let store: EventStore;
let nowMs = Date.UTC(2026, 0, 1);
const clock = { nowMs: () => nowMs, sleep: async () => {} };
let lastCommand = 0;
const nextRequest = () => requestOf((lastCommand += 1));

beforeAll(async () => {
  store = await openTestEventStore(folder.path);
});

afterAll(async () => {
  await store.close();
  folder.remove();
});

interface Names {
  readonly slugs: readonly string[];
  readonly domains: readonly string[];
}

interface Created {
  readonly ids: string[];
  /** Creates that were sent; each may be sent again, by another process too. */
  readonly sent: { readonly input: object; readonly request: CommandRequest }[];
}

/** One thing that somebody might do with some of the names; a refusal is an answer, too. */
async function act(commands: CommandRunner, random: Seeded, names: Names, orgs: Created): Promise<void> {
  const slug = random.pick(names.slugs);
  const fields = { slug, ...(random.chance(60) && { domain: random.pick(names.domains) }) };
  const orgId = random.pick(orgs.ids);
  const request = nextRequest();
  const create = async (input: object, as: CommandRequest) =>
    void orgs.ids.push((await commands.run(createOrg, input, as)).id);
  try {
    switch (random.int(1, 6)) {
      case 1:
      case 2:
        orgs.sent.push({ input: { name: slug, ...fields }, request });
        await create({ name: slug, ...fields }, request);
        break;
      case 3:
        await commands.run(changeOrg, { orgId, changes: fields }, request);
        break;
      case 6: {
        const again = orgs.sent.at(-1);
        if (again !== undefined) await create(again.input, again.request);
        break;
      }
      case 4:
        await commands.run(deleteOrg, { orgId }, request);
        break;
      default:
        await commands.run(restoreOrg, { orgId }, request);
    }
  } catch (error) {
    if (!isDomainError(error)) throw error;
  }
}

describe('reservations', () => {
  it('frees a claim whose owner was never created, after the courtesy time', async () => {
    const crashing = gatedEventStore(store, async (call, moment) => {
      if (call === 'append' && moment === 'after') await new Promise(() => {});
    });
    void createTestRunners(crashing, clock).commands.run(createOrg, { name: 'Stuck', slug: 'stuck' }, nextRequest());
    await expect.poll(async () => (await store.read(orgSlugName('stuck'))).version).toBe(1);

    const { commands } = createTestRunners(store, clock);
    await expect(commands.run(createOrg, { name: 'B', slug: 'stuck' }, nextRequest())).rejects.toMatchObject({
      code: 'conflict',
    });
    nowMs += 61_000;
    const taken = await commands.run(createOrg, { name: 'B', slug: 'stuck' }, nextRequest());
    expect(taken.state.slug).toBe('stuck');
  });

  /** A runner whose claim of a name comes when another one, who wanted it too, has got it. */
  const runnerThatLoses = (domain: string, winner: () => Promise<unknown>) => {
    let hasWon = false;
    const losing: EventStore = {
      ...store,
      append: async (append) => {
        if (append.stream === domainName(domain) && !hasWon) {
          hasWon = true;
          await winner();
        }
        return store.append(append);
      },
    };
    return createTestRunners(losing, clock).commands;
  };

  it('leaves what a create that lost had claimed before free for everybody, at once', async () => {
    const { commands } = createTestRunners(store, clock);
    const winner = () => commands.run(createOrg, { name: 'Winner', domain: 'won.example' }, nextRequest());
    const losing = runnerThatLoses('won.example', winner);
    // The alias comes before the domain in the order of claims.
    const fields = { name: 'Loser', slug: 'free-again', domain: 'won.example', aliases: ['alias-of-loser.example'] };
    await expect(losing.run(createOrg, fields, nextRequest())).rejects.toMatchObject({ details: { field: 'domain' } });
    const next = { name: 'Next', slug: 'free-again', domain: 'alias-of-loser.example' };
    expect((await commands.run(createOrg, next, nextRequest())).state).toMatchObject({ slug: 'free-again' });
  });

  it('leaves what a change that lost had claimed before free for everybody, at once', async () => {
    const { commands } = createTestRunners(store, clock);
    const org = await commands.run(createOrg, { name: 'Changing', slug: 'changing' }, nextRequest());
    const winner = () => commands.run(createOrg, { name: 'Other', domain: 'other.example' }, nextRequest());
    const changes = { slug: 'changed', domain: 'other.example', aliases: ['alias-of-changing.example'] };
    const losing = runnerThatLoses('other.example', winner).run(changeOrg, { orgId: org.id, changes }, nextRequest());
    await expect(losing).rejects.toMatchObject({ details: { field: 'domain' } });
    const next = { name: 'Taker', slug: 'changed', domain: 'alias-of-changing.example' };
    expect((await commands.run(createOrg, next, nextRequest())).state).toMatchObject({ slug: 'changed' });
    const { state } = await commands.run(changeOrg, { orgId: org.id, changes: { name: 'Still' } }, nextRequest());
    expect(state).toMatchObject({ slug: 'changing', domain: null });
  });

  it('does not give back from under another change of the same org that is just behind', async () => {
    const slugStream = orgSlugName('twice-sent');
    const signal = () => {
      let given = () => {};
      const wait = new Promise<void>((resolve) => (given = resolve));
      return { wait, give: () => given() };
    };
    const { commands } = createTestRunners(store, clock);
    const { id: orgId } = await commands.run(createOrg, { name: 'Twice changed' }, nextRequest());
    const [otherAtSlug, slugClaimed, givenBack] = [signal(), signal(), signal()];
    const slow: EventStore = {
      ...store,
      append: async (append) => {
        if (append.stream === slugStream) await otherAtSlug.wait;
        if (append.stream.startsWith('org-')) await givenBack.wait;
        const outcome = await store.append(append);
        if (append.stream === slugStream) slugClaimed.give();
        return outcome;
      },
    };
    const losesAndDies: EventStore = {
      ...store,
      append: async (append) => {
        if (append.stream === slugStream) {
          otherAtSlug.give();
          await slugClaimed.wait;
        }
        const outcome = await store.append(append);
        if (append.events[0]!.type !== 'NameReleased.v1') return outcome;
        givenBack.give();
        return new Promise(() => {});
      },
    };
    const changes = { slug: 'twice-sent', domain: 'twice-sent.example' };
    const changing = createTestRunners(slow, clock).commands.run(changeOrg, { orgId, changes }, nextRequest());
    await expect.poll(async () => (await store.read(domainName(changes.domain))).version).toBe(1);
    void createTestRunners(losesAndDies, clock).commands.run(changeOrg, { orgId, changes }, nextRequest());
    expect((await changing).state).toMatchObject(changes);
    const taking = commands.run(createOrg, { name: 'Taker', domain: changes.domain }, nextRequest());
    await expect(taking).rejects.toMatchObject({ code: 'conflict' });
    expect(await holdersOf(store, domainName(changes.domain))).toHaveLength(1);
  });

  /** A runner that is held up at its first append, as a process that stands still. */
  const runnerThatStands = () => {
    let goOn = () => {};
    let isThere = () => {};
    const stands = new Promise<void>((resolve) => (isThere = resolve));
    let isFirst = true;
    const standing = gatedEventStore(store, async (call, moment) => {
      if (call !== 'append' || moment !== 'before' || !isFirst) return;
      isFirst = false;
      isThere();
      await new Promise<void>((resolve) => (goOn = resolve));
    });
    return { commands: createTestRunners(standing, clock).commands, stands, goOn: () => goOn() };
  };

  it('is not taken from an org by the same command in a process that stood still and lost', async () => {
    const { commands } = createTestRunners(store, clock);
    const slow = runnerThatStands();
    const input = { name: 'Stood', slug: 'stood', domain: 'stood.example' };
    const request = nextRequest();
    const standing = slow.commands.run(createOrg, input, request);
    await slow.stands;
    const passing = await commands.run(createOrg, { name: 'Passing', slug: 'stood' }, nextRequest());
    await commands.run(changeOrg, { orgId: passing.id, changes: { slug: 'passed' } }, nextRequest());
    const repeated = await commands.run(createOrg, input, request); // by the process that took it for dead
    slow.goOn();
    expect((await standing).id).toBe(repeated.id);
    const taking = commands.run(createOrg, { name: 'Taker', domain: input.domain }, nextRequest());
    await expect(taking).rejects.toMatchObject({ code: 'conflict' });
    expect(await holdersOf(store, domainName(input.domain))).toHaveLength(1);
  });

  it('is answered as held only by what was stored, also when the same command was given up elsewhere', async () => {
    const { commands } = createTestRunners(store, clock);
    const [one, two] = [runnerThatStands(), runnerThatStands()];
    const input = { name: 'Given up', slug: 'given-up', domain: 'given-up.example' };
    const request = nextRequest();
    const first = one.commands.run(createOrg, input, request);
    await one.stands;
    const passing = await commands.run(createOrg, { name: 'Passing', slug: 'given-up' }, nextRequest());
    await commands.run(changeOrg, { orgId: passing.id, changes: { slug: 'passed-on' } }, nextRequest());
    const second = two.commands.run(createOrg, input, request);
    await two.stands;
    one.goOn();
    const { id } = await first;
    two.goOn();
    expect((await second).id).toBe(id);
    expect(await holdersOf(store, domainName(input.domain))).toHaveLength(1);
  });

  it('makes one tag of a name, also when the first to create it was fenced', async () => {
    const crashing = gatedEventStore(store, async (call, moment) => {
      if (call === 'append' && moment === 'after') await new Promise(() => {});
    });
    void createTestRunners(crashing, clock).commands.run(createTag, { name: 'C++' }, nextRequest());
    await expect.poll(async () => (await store.read(tagSlugName('c'))).version).toBe(1);
    nowMs += 61_000;
    // Two processes, each with a queue of its own.
    const [one, two] = [createTestRunners(store, clock).commands, createTestRunners(store, clock).commands];
    const other = await one.run(createTag, { name: 'C' }, nextRequest());
    expect(other.state).toMatchObject({ slug: 'c' });
    const spellings = ['C++', 'c++', 'C++', 'c++'];
    const created = await Promise.all(
      spellings.map((name, index) => (index % 2 === 0 ? one : two).run(createTag, { name }, nextRequest())),
    );
    expect(created.filter(({ events }) => events.length > 0)).toHaveLength(1);
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    // Whoever takes a slug that it once claimed finds it fenced, not alive.
    const { owner } = (await store.read(tagSlugName('c'))).events[0]!.data as { owner: string };
    expect(created[0]!.id).not.toBe(parseStream(owner).id);
    const slugs = created.map(({ state }) => (state.status === 'live' ? state.slug : null));
    expect(new Set(slugs)).toEqual(new Set(['c-2']));
    expect((await one.run(createTag, { name: 'c 2' }, nextRequest())).state).toMatchObject({ slug: 'c-2-2' });
  });

  it('gives an org that was fenced while it was slow another id, and never two owners of one name', async () => {
    let letGo = () => {};
    let isHeld = () => {};
    const held = new Promise<void>((resolve) => (isHeld = resolve));
    let appends = 0;
    const slowStore = gatedEventStore(store, async (call, moment) => {
      // The second append of a create is the org itself: hold it back.
      if (call !== 'append' || moment !== 'before' || (appends += 1) !== 2) return;
      isHeld();
      await new Promise<void>((resolve) => (letGo = resolve));
    });
    const slowCreate = createTestRunners(slowStore, clock).commands.run(
      createOrg,
      { name: 'Slow Corp' },
      nextRequest(),
    );
    await held;
    nowMs += 61_000;
    const fast = await createTestRunners(store, clock).commands.run(
      createOrg,
      { name: 'Fast', slug: 'slow-corp' },
      nextRequest(),
    );
    letGo();
    const slow = await slowCreate;
    expect(fast.state.slug).toBe('slow-corp');
    expect(slow.state.slug).toBe('slow-corp-2');
    expect(await holdersOf(store, orgSlugName('slow-corp'))).toHaveLength(1);
  });

  it.each(seeds)(
    'never lets two living orgs hold one name, however writers interleave and crash (seed %i)',
    async (seed) => {
      const random = createSeeded(seed);
      const slugs = [`s${seed}-a`, `s${seed}-b`, `s${seed}-c`];
      const domains = [`a.s${seed}.example`, `z.s${seed}.example`];
      const setup = createTestRunners(store, clock).commands;
      const first = await setup.run(createOrg, { name: 'First', slug: slugs[0] }, nextRequest());
      const orgs: Created = { ids: [first.id], sent: [] };
      const interleaving = createInterleaving(random, {
        crashPercent: 3,
        beforeStep: () => {
          if (random.chance(4)) nowMs += 61_000;
        },
      });
      const actors = Array.from({ length: actorCount }, (_, actor) => {
        const { commands } = createTestRunners(gatedEventStore(store, interleaving.gateOf(actor)), clock);
        return async () => {
          for (let count = 0; count < operationsEach; count += 1) await act(commands, random, { slugs, domains }, orgs);
        };
      });
      await interleaving.play(actors);

      nowMs += 61_000;
      const wanted = [
        ...slugs.map((slug) => ({ name: orgSlugName(slug), fields: { slug } })),
        ...domains.map((domain) => ({ name: domainName(domain), fields: { domain } })),
      ];
      for (const { name, fields } of wanted) {
        const holders = await holdersOf(store, name);
        expect(holders.length, `holders of ${name}, run SEED=${seed}`).toBeLessThanOrEqual(1);
        const attempt = setup.run(createOrg, { name: `Last ${seed}`, ...fields }, nextRequest());
        // No claim is left hanging: what nobody holds can be taken, and what somebody holds cannot.
        if (holders.length === 0) await attempt;
        else await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
        expect(await holdersOf(store, name)).toHaveLength(1);
      }
      expect((await orgsInStore(store)).length).toBeGreaterThan(0);
    },
  );
});
