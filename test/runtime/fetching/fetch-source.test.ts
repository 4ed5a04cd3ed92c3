import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeOrg } from '../../../commands/org/change-org.ts';
import { changeRelease } from '../../../commands/release/change-release.ts';
import { changeSource } from '../../../commands/source/change-source.ts';
import { deleteSource } from '../../../commands/source/delete-source.ts';
import type { IndexedRelease } from '../../../src/domain/release/state.ts';
import { release } from '../../../src/domain/release/state.ts';
import { FetchFailed } from '../../../src/ingest/fetch-failed.ts';
import { releaseIdentity, releaseIdOf } from '../../../src/domain/release/identity.ts';
import { foldEvents } from '../../../src/kernel/model.ts';
import { streamOf } from '../../../src/kernel/stream-name.ts';
import { turnTtlMs } from '../../../src/records/fetching/fetch-turns.ts';
import { createSourceContacts } from '../../../src/records/source-contacts.ts';
import { createScriptedFetcher, fetchedOf, itemOf } from '../../spec/scripted-fetcher.ts';
import type { TempFolder } from '../../spec/temp-folder.ts';
import { type FetchWorld, openFetchWorld } from '../../spec/worlds/fetch-world.ts';
import { createEmptyDataFolder } from '../../spec/worlds/followed-registry.ts';
import { webBaseUrl } from '../../spec/worlds/small-world.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
let empty: TempFolder;
let world: FetchWorld;
let script: ReturnType<typeof createScriptedFetcher>;

beforeAll(async () => {
  empty = await createEmptyDataFolder();
});
afterAll(() => empty.remove());
beforeEach(async () => {
  script = createScriptedFetcher();
  world = await openFetchWorld({ feed: script.fetcher, github: script.fetcher, appstore: script.fetcher }, empty);
});
afterEach(() => world.close());

const eventsOf = async (type: string) => {
  const { events } = await world.store.readAll({ afterPosition: 0, limit: 10_000, types: [type] });
  return events;
};
const ago = (days: number): string => new Date(world.clock.nowMs() - days * dayMs).toISOString();
const ask = async (sourceId: string, wish = {}) =>
  world.turns.ask({ sourceId, jobId: `fet_${'a'.repeat(21)}`, force: false, dryRun: false, ...wish });
const entry = async (sourceId: string) => (await world.entriesOf(sourceId))[0]!;

describe('one fetch', () => {
  it('stores what it finds, and then that it did', async () => {
    const sourceId = await world.addSource();
    script.answerWith(() => fetchedOf({ items: [itemOf('2.0.0'), itemOf('1.0.0')], memory: { etag: 'a' }, stars: 7 }));
    await world.fetchDue();
    expect(await entry(sourceId)).toMatchObject({
      status: 'success',
      releasesFound: 2,
      releasesInserted: 2,
      totalReleases: 2,
      error: null,
    });
    const at = new Date(world.clock.nowMs()).toISOString();
    expect(await world.stateOf(sourceId)).toMatchObject({
      lastPolledAt: at,
      lastFetchedAt: at,
      changeDetectedAt: at,
      consecutiveNoChange: 0,
      consecutiveErrors: 0,
      stars: 7,
      starsFetchedAt: at,
    });
    expect(await world.services.memories.recall(sourceId)).toEqual({ etag: 'a' });
    const [indexed] = await eventsOf('ReleaseIndexed.v1');
    expect(indexed?.metadata).toMatchObject({ cause: 'fetch', actor: 'system:fetcher' });
  });

  it('remembers for the next one, unless that is to forget', async () => {
    const sourceId = await world.addSource();
    const place = { feedUrl: 'https://example.com/moved', foundFrom: 'https://example.com/log' };
    const memory = { etag: 'a', lastModified: 'yesterday', digest: 'b', ...place };
    script.answerWith(() => fetchedOf({ memory }));
    await world.fetchDue();
    world.clock.advance(5 * hourMs);
    await world.fetchDue();
    await ask(sourceId, { force: true });
    await world.fetchDue();
    // Where it was found is not what was seen of it.
    expect(script.asked.map((asked) => asked.memory)).toEqual([{}, memory, place]);
  });

  it('keeps memory and counts when a fetch fails, and says why', async () => {
    const sourceId = await world.addSource();
    script.answerWith(() => fetchedOf({ memory: { etag: 'a' } }));
    await world.fetchDue();
    script.answerWith(() => {
      throw new FetchFailed('server_error', 503);
    });
    world.clock.advance(5 * hourMs);
    await world.fetchDue();
    expect(await entry(sourceId)).toMatchObject({
      status: 'error',
      error: 'The third party failed. It answered with the status 503.',
      releasesFound: 0,
    });
    expect(await world.stateOf(sourceId)).toMatchObject({ consecutiveErrors: 1, consecutiveNoChange: 1 });
    expect(await world.services.memories.recall(sourceId)).toEqual({ etag: 'a' });
  });

  it.each([
    ['blocked', 'blocked'],
    ['refused', 'blocked'],
    ['timeout', 'timeout'],
    ['dns', 'error'],
    ['unreadable', 'error'],
  ] as const)('calls %s %s', async (reason, status) => {
    const sourceId = await world.addSource();
    script.answerWith(() => {
      throw new FetchFailed(reason);
    });
    await world.fetchDue();
    expect((await entry(sourceId)).status).toBe(status);
  });

  it.each([
    [new FetchFailed('dns'), 'The host has no address.'],
    [
      new FetchFailed('unreadable', 200),
      'The answer is not what a source of this type answers with. It answered with the status 200.',
    ],
    [new FetchFailed('unreadable', 200, { sentence: 'The page has no heading.' }), 'The page has no heading.'],
    [
      new FetchFailed('unreadable', 404, { sentence: 'GitHub knows no such repository.' }),
      'GitHub knows no such repository. It answered with the status 404.',
    ],
    [
      new FetchFailed('blocked', null, { sentence: 'The robots rules do not allow it.' }),
      'The robots rules do not allow it.',
    ],
  ])('says what is known of a failure: %s', async (failure, error) => {
    const sourceId = await world.addSource();
    script.answerWith(() => {
      throw failure;
    });
    await world.fetchDue();
    expect((await entry(sourceId)).error).toBe(error);
  });

  it('is put off, and counts as no contact, while we ask a third party for nothing by ourselves', async () => {
    const sourceId = await world.addSource();
    const pause = { retryAfterMs: 10 * 60_000, sentence: 'GitHub takes no more requests of ours for now.' };
    script.answerWith(() => {
      throw new FetchFailed('limited', null, pause);
    });
    await world.fetchDue();
    expect(await world.entriesOf(sourceId)).toEqual([]);
    expect(await world.stateOf(sourceId)).toMatchObject({ lastPolledAt: null, consecutiveErrors: 0 });
    world.clock.advance(pause.retryAfterMs - 1);
    await world.fetchDue();
    expect(script.asked).toHaveLength(1);
    await ask(sourceId);
    await world.fetchDue(); // who asked is told
    expect(await entry(sourceId)).toMatchObject({ status: 'error', error: pause.sentence });
    expect(await world.stateOf(sourceId)).toMatchObject({ lastPolledAt: null, consecutiveErrors: 0 });
    script.answerWith(() => fetchedOf({ items: [itemOf('1.0.0')] }));
    world.clock.advance(pause.retryAfterMs);
    await world.fetchDue();
    expect((await entry(sourceId)).status).toBe('success');
  });

  it('tells nothing of a mistake of our own but that it was one', async () => {
    const sourceId = await world.addSource();
    script.answerWith(() => {
      throw new Error('https://user:secret@example.com broke');
    });
    await world.fetchDue();
    const { status, error } = await entry(sourceId);
    expect([status, error]).toEqual(['error', 'Something failed on our side; the log of the service tells more.']);
  });

  it('ends after a minute with a third party that does not', async () => {
    const sourceId = await world.addSource();
    script.answerWith(() => new Promise(() => {}));
    const rounds = world.roundsOf();
    await rounds.begin();
    while (script.asked.length === 0) await new Promise(setImmediate);
    world.clock.advance(60_000);
    await rounds.settled();
    expect((await entry(sourceId)).status).toBe('timeout');
  });

  it('leaves out what the registry cannot take, and stores the rest', async () => {
    const sourceId = await world.addSource();
    const broken = { ...itemOf('2.0.0'), title: 'bad \0 title' };
    const items = [itemOf('1.0.0'), broken, itemOf('3.0.0')];
    script.answerWith(() => fetchedOf({ items, leftOut: [{ entry: 'x', reason: 'no title' }] }));
    await world.fetchDue();
    expect(await entry(sourceId)).toMatchObject({ releasesFound: 2, releasesInserted: 2, status: 'success' });
    expect(world.log.lines).toContainEqual({ level: 'warn', sentence: 'entries of a source were left out' });
  });

  it('announces of a first fetch only the last days, and of later ones everything', async () => {
    await world.addSource();
    const old = [itemOf('1.0.0', { publishedAt: ago(8) }), itemOf('1.1.0', { publishedAt: ago(6) })];
    script.answerWith(() => fetchedOf({ items: old }));
    await world.fetchDue();
    expect(await eventsOf('ReleaseAnnounced.v1')).toHaveLength(1);
    world.clock.advance(5 * hourMs);
    script.answerWith(() => fetchedOf({ items: [itemOf('0.9.0', { publishedAt: ago(30) }), ...old] }));
    await world.fetchDue();
    expect(await eventsOf('ReleaseAnnounced.v1')).toHaveLength(2);
  });

  it('is a first one, too, where only a lookup has brought releases in', async () => {
    const sourceId = await world.addSource();
    const contacts = await createSourceContacts(world.ops, world.clock);
    await contacts.recordFetch(sourceId, world.clock.nowMs());
    script.answerWith(() => fetchedOf({ items: [itemOf('1.0.0', { publishedAt: ago(8) })] }));
    await world.fetchDue();
    expect(await eventsOf('ReleaseIndexed.v1')).toHaveLength(1);
    expect(await eventsOf('ReleaseAnnounced.v1')).toEqual([]);
  });

  it('stores files and the icon of what has them', async () => {
    const repository = await world.addSource({ type: 'github', url: 'https://github.com/acme/rocket' });
    const app = await world.addSource({ type: 'appstore', metadata: { appStore: { platform: 'ios' } } });
    const file = { path: 'CHANGELOG.md', content: '# 1.0.0', truncated: true, url: null, rawUrl: null };
    const iconUrl = 'https://example.com/icon.png';
    script.answerWith(({ id }) => fetchedOf(id === repository ? { changelogs: [file] } : { iconUrl }));
    await world.fetchDue();
    expect((await eventsOf('ChangelogFileStored.v1')).map(({ data }) => data)).toMatchObject([
      { path: 'CHANGELOG.md', truncated: true },
    ]);
    const changed = await eventsOf('SourceChanged.v1');
    expect(changed.map(({ data, stream }) => [stream.id, data])).toEqual([
      [app, { changed: { metadata: { appStore: { platform: 'ios', iconUrl } } } }],
    ]);
    world.clock.advance(5 * hourMs);
    await world.fetchDue();
    expect(await eventsOf('SourceChanged.v1')).toHaveLength(1);
  });

  it('leaves what somebody said of an app while it was fetched', async () => {
    const app = await world.addSource({ type: 'appstore', metadata: { appStore: { platform: 'ios', country: 'us' } } });
    const iconUrl = 'https://example.com/icon.png';
    script.answerWith(async () => {
      const changes = { metadata: { appStore: { platform: 'ios', country: 'de' } } };
      await world.commands.run(changeSource, { sourceId: app, changes }, world.nextRequest());
      return fetchedOf({ iconUrl });
    });
    await world.fetchDue();
    const metadata = { appStore: { platform: 'ios', country: 'de', iconUrl } };
    expect((await eventsOf('SourceChanged.v1')).at(-1)?.data).toEqual({ changed: { metadata } });
  });

  it('looks for a source again that has answered with client errors five times in a row', async () => {
    const sourceId = await world.addSource();
    const found: unknown[] = [];
    const rediscover = async () => {
      found.push(sourceId);
      return { feedUrl: 'https://example.com/moved' };
    };
    const moving = { ...script.fetcher, rediscover };
    script.answerWith(({ memory }) => {
      if (memory['feedUrl'] !== undefined) return fetchedOf({ memory });
      throw new FetchFailed('unreadable', 404);
    });
    Object.assign(world.services, { fetchers: { feed: moving } });
    for (let time = 0; time < 6; time += 1) {
      expect(found).toEqual([]);
      await world.fetchDue();
      world.clock.advance(73 * 1.1 * hourMs);
    }
    expect(found).toHaveLength(1);
    expect((await entry(sourceId)).status).toBe('no_change');
    expect(await world.services.memories.recall(sourceId)).toEqual({ feedUrl: 'https://example.com/moved' });
  });

  it('reads a source that is there again though its page cannot be looked at', async () => {
    const sourceId = await world.addSource();
    const deadlines: number[] = [];
    const rediscover = async (_: unknown, deadlineMs: number) => {
      deadlines.push(deadlineMs - world.clock.nowMs());
      throw new FetchFailed('server_error', 503);
    };
    Object.assign(world.services, { fetchers: { feed: { ...script.fetcher, rediscover } } });
    script.answerWith(() => {
      throw new FetchFailed('unreadable', 404);
    });
    for (let time = 0; time < 5; time += 1) {
      await world.fetchDue();
      world.clock.advance(73 * 1.1 * hourMs);
    }
    script.answerWith(() => fetchedOf({ items: [itemOf('1.0.0')] }));
    await world.fetchDue();
    expect((await entry(sourceId)).status).toBe('success');
    expect(deadlines).toEqual([30_000]); // it leaves time to read the source
  });
});

describe('a fetch that somebody asked for', () => {
  it('is done for a paused source too, which stays out of the schedule', async () => {
    const sourceId = await world.addSource({ fetchPriority: 'paused' });
    await world.fetchDue();
    expect(script.asked).toEqual([]);
    await ask(sourceId);
    await world.fetchDue();
    expect(script.asked).toHaveLength(1);
    expect((await world.stateOf(sourceId)).nextFetchAfter).toBeNull();
    world.clock.advance(100 * dayMs);
    await world.fetchDue();
    expect(script.asked).toHaveLength(1);
  });

  it('is skipped while its org is paused', async () => {
    const orgId = await world.addOrg('Acme');
    const sourceId = await world.addSource({ orgId });
    await world.commands.run(changeOrg, { orgId, changes: { fetchPaused: true } }, world.nextRequest());
    await ask(sourceId);
    await world.fetchDue();
    expect(script.asked).toEqual([]);
    expect(await entry(sourceId)).toMatchObject({ status: 'skipped', durationMs: null, id: `fet_${'a'.repeat(21)}` });
    expect((await world.stateOf(sourceId)).lastPolledAt).toBeNull();
  });

  it('stores nothing but its entry when it is to show what would come', async () => {
    const sourceId = await world.addSource({ fetchPriority: 'paused' });
    script.answerWith(() => fetchedOf({ items: [itemOf('1.0.0')], memory: { etag: 'a' } }));
    const before = await world.store.head();
    await ask(sourceId, { dryRun: true });
    await world.fetchDue();
    expect(await entry(sourceId)).toMatchObject({ status: 'dry_run', releasesFound: 1, releasesInserted: 0 });
    expect(await world.store.head()).toBe(before);
    expect((await world.stateOf(sourceId)).lastPolledAt).toBeNull();
    expect(await world.services.memories.recall(sourceId)).toBeNull();
  });

  it('runs once at a time and once a minute, and a repeat of the request is the same job', async () => {
    const sourceId = await world.addSource({ fetchPriority: 'paused' });
    const jobId = `fet_${'a'.repeat(21)}`;
    expect(await ask(sourceId)).toEqual({ kind: 'enqueued' });
    expect(await ask(sourceId)).toEqual({ kind: 'enqueued' });
    const other = { jobId: `fet_${'b'.repeat(21)}` };
    expect(await ask(sourceId, other)).toEqual({ kind: 'running', jobId });
    await world.fetchDue();
    expect(script.asked).toHaveLength(1);
    expect(await ask(sourceId)).toEqual({ kind: 'enqueued' });
    expect(await ask(sourceId, other)).toEqual({ kind: 'too_soon', retryAfterMs: 60_000 });
    world.clock.advance(60_000);
    expect(await ask(sourceId, other)).toEqual({ kind: 'enqueued' });
    await world.fetchDue();
    expect((await world.entriesOf(sourceId)).map(({ id }) => id)).toEqual([other.jobId, jobId]);
  });
});

describe('a source that is gone', () => {
  it('is not fetched, and nothing comes back of it', async () => {
    const sourceId = await world.addSource();
    await world.commands.run(deleteSource, { sourceId }, world.nextRequest());
    await world.fetchDue();
    expect(script.asked).toEqual([]);
    expect(await world.entriesOf(sourceId)).toEqual([]);
  });

  it('may go while it is fetched', async () => {
    const sourceId = await world.addSource();
    script.answerWith(async () => {
      await world.commands.run(deleteSource, { sourceId }, world.nextRequest());
      return fetchedOf({ items: [itemOf('1.0.0')] });
    });
    await world.fetchDue();
    expect((await world.entriesOf(sourceId)).map(({ status }) => status)).toEqual(['skipped']);
    expect(await eventsOf('ReleaseIndexed.v1')).toEqual([]);
  });
});

describe('between fetch and edit', () => {
  const stateOf = async (sourceId: string, version: string): Promise<IndexedRelease> => {
    const identity = releaseIdentity({ title: '', url: null, version, publishedAt: null }, 'https://example.com/log');
    const { events } = await world.store.read(streamOf('release', releaseIdOf(sourceId, identity)));
    const state = foldEvents(release, events);
    if (state.status !== 'indexed') throw new Error('it is not indexed');
    return state;
  };
  const again = async (item: object) => {
    world.clock.advance(100 * hourMs);
    script.answerWith(() => fetchedOf({ items: [{ ...itemOf('1.0.0'), ...item }] }));
    await world.fetchDue();
  };

  it.each([
    ['title', 'By the source', 'By hand', 'By the source, later'],
    ['content', 'short', 'edited', 'later'],
    ['content', 'long '.repeat(50_000), 'edited', 'longer '.repeat(50_000)],
    ['importance', 2, 5, 3],
    ['type', 'feature', 'rollup', 'rollup'],
    ['summary', 'Told', 'Edited', 'Told anew'],
  ])('what somebody edits stays until the source tells something new: %s', async (field, told, edited, later) => {
    const sourceId = await world.addSource();
    await again({ [field]: told });
    expect((await entry(sourceId)).status).toBe('success');
    const identity = releaseIdentity(
      { title: '', url: null, version: '1.0.0', publishedAt: null },
      'https://x.example',
    );
    const releaseId = releaseIdOf(sourceId, identity);
    const changes = { [field]: edited };
    const input = { releaseId, changes, contentTokens: 1, webBaseUrl };
    await world.commands.run(changeRelease, input, world.nextRequest());
    const edit = (await stateOf(sourceId, '1.0.0')).given;
    await again({ [field]: told });
    expect((await stateOf(sourceId, '1.0.0')).given).toEqual(edit);
    expect((await entry(sourceId)).status).toBe('no_change');
    // Something else that is new leaves it alone too.
    await again({ [field]: told, migrationNotes: 'New' });
    expect((await stateOf(sourceId, '1.0.0')).given).toEqual({ ...edit, migrationNotes: 'New' });
    await again({ [field]: later, migrationNotes: 'New' });
    const { given } = await stateOf(sourceId, '1.0.0');
    if (field !== 'content') expect(given).toEqual({ ...edit, migrationNotes: 'New', [field]: later });
    else expect(given.content).not.toEqual(edit.content);
    // From here on the source is believed again.
    await again({ [field]: told, migrationNotes: 'New' });
    expect((await entry(sourceId)).status).toBe('success');
  });

  it('a source that tells just what was edited, and then goes back, is believed', async () => {
    const sourceId = await world.addSource();
    await again({ title: 'One' });
    const identity = { kind: 'version', value: '1.0.0' } as const;
    await world.commands.run(
      changeRelease,
      { releaseId: releaseIdOf(sourceId, identity), changes: { title: 'Two', importance: 5 }, webBaseUrl },
      world.nextRequest(),
    );
    // With another field that is new, and with nothing new: neither makes a second revision of the title.
    await again({ title: 'Two', migrationNotes: 'New' });
    await again({ title: 'Two', migrationNotes: 'New' });
    expect((await entry(sourceId)).status).toBe('no_change');
    expect(await eventsOf('EditsConfirmed.v1')).toHaveLength(1);
    await again({ title: 'One', migrationNotes: 'New' });
    expect((await stateOf(sourceId, '1.0.0')).given).toMatchObject({ title: 'One', importance: 5 });
  });
});

describe('a killed fetch', () => {
  it('is done again when its claim is over, and nothing is there twice', async () => {
    const sourceId = await world.addSource({ fetchPriority: 'paused' });
    script.answerWith(() => fetchedOf({ items: [itemOf('1.0.0')], memory: { etag: 'a' } }));
    await ask(sourceId);
    const dying = await world.openProcess();
    const end = dying.services.outcomes.end;
    Object.assign(dying.services, {
      outcomes: { ...dying.services.outcomes, end: () => Promise.reject(new Error('the process is gone')) },
    });
    const [due] = await dying.turns.due('asked', 1);
    const taken = await dying.turns.take(due!);
    await expect(dying.fetch(taken!)).rejects.toThrow('the process is gone');
    expect(await world.services.memories.recall(sourceId)).toBeNull();
    await world.fetchDue();
    expect(script.asked).toHaveLength(1);
    world.clock.advance(2 * turnTtlMs);
    await world.fetchDue();
    expect(script.asked).toHaveLength(2);
    expect(await eventsOf('ReleaseIndexed.v1')).toHaveLength(1);
    expect((await world.entriesOf(sourceId)).map(({ id, status }) => [id, status])).toEqual([
      [`fet_${'a'.repeat(21)}`, 'no_change'],
    ]);
    const late = { ...(await entry(sourceId)), status: 'error' as const };
    expect(await end(taken!, { entry: late, contact: null, memory: { etag: 'late' }, host: null })).toBeNull();
    expect(await world.services.memories.recall(sourceId)).toEqual({ etag: 'a' });
  });
});

describe('a source that was taken by a process that died', () => {
  const changePriority = async (sourceId: string, fetchPriority: string) => {
    await world.commands.run(changeSource, { sourceId, changes: { fetchPriority } }, world.nextRequest());
    await world.settle(sourceId);
  };
  const takeAndDie = async () => {
    const sourceId = await world.addSource({ fetchPriority: 'paused' });
    const dying = await world.openProcess();
    expect(await dying.turns.takeNow({ sourceId, force: false, dryRun: false })).not.toBeNull();
    return sourceId;
  };

  it('is due when it is not paused any more', async () => {
    const sourceId = await takeAndDie();
    world.clock.advance(2 * turnTtlMs);
    await changePriority(sourceId, 'normal');
    await world.fetchDue();
    expect(await world.entriesOf(sourceId)).toHaveLength(1);
  });

  it('is due once the claim is over, and not before, when it was not paused any more by then', async () => {
    const sourceId = await takeAndDie();
    await changePriority(sourceId, 'normal');
    await world.fetchDue();
    expect(await world.entriesOf(sourceId)).toEqual([]);
    world.clock.advance(2 * turnTtlMs);
    await world.fetchDue();
    expect(await world.entriesOf(sourceId)).toHaveLength(1);
  });

  it('rests when it is paused again', async () => {
    const sourceId = await takeAndDie();
    await changePriority(sourceId, 'normal');
    await changePriority(sourceId, 'paused');
    world.clock.advance(2 * turnTtlMs);
    await world.fetchDue();
    expect(script.asked).toEqual([]);
  });
});

describe('the priority of a source', () => {
  it('is paused after twenty failures in a row over two weeks', async () => {
    const sourceId = await world.addSource();
    script.answerWith(() => {
      throw new FetchFailed('network');
    });
    const paused = async () => (await eventsOf('SourceChanged.v1')).map(({ data, metadata }) => [data, metadata.cause]);
    for (let failure = 1; failure <= 20; failure += 1) {
      expect(await paused()).toEqual([]);
      const startMs = world.clock.nowMs();
      await world.fetchDue();
      world.clock.advance(Date.parse((await world.stateOf(sourceId)).nextFetchAfter!) - startMs);
    }
    expect(await paused()).toEqual([[{ changed: { fetchPriority: 'paused' } }, 'system']]);
    await world.settle(sourceId);
    expect((await world.stateOf(sourceId)).nextFetchAfter).toBeNull();
    await world.commands.run(changeSource, { sourceId, changes: { fetchPriority: 'low' } }, world.nextRequest());
    await world.settle(sourceId);
    expect((await world.stateOf(sourceId)).nextFetchAfter).toBe(new Date(world.clock.nowMs()).toISOString());
    // From here on it is counted anew, and the time too.
    const startedMs = world.clock.nowMs();
    for (let failure = 1; failure <= 20; failure += 1) {
      await world.fetchDue();
      const { consecutiveErrors, nextFetchAfter } = await world.stateOf(sourceId);
      expect([consecutiveErrors, (await paused()).length]).toEqual([failure, failure < 20 ? 2 : 3]);
      world.clock.advance(Date.parse(nextFetchAfter!) - world.clock.nowMs());
    }
    expect(world.clock.nowMs() - startedMs).toBeGreaterThan(14 * dayMs);
  });
});
