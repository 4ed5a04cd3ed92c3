import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOrg } from '../../../commands/org/create-org.ts';
import { changeRelease } from '../../../commands/release/change-release.ts';
import { eraseRelease } from '../../../commands/release/erase-release.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { suppressReleases } from '../../../commands/release/suppress-releases.ts';
import { unsuppressRelease } from '../../../commands/release/unsuppress-release.ts';
import { changeSource } from '../../../commands/source/change-source.ts';
import { createSource } from '../../../commands/source/create-source.ts';
import { purgeSource } from '../../../commands/source/purge-source.ts';
import type { Command } from '../../../src/kernel/command.ts';
import type { DomainEvent } from '../../../src/kernel/event.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import type { VectorStore } from '../../../src/ports/search-index.ts';
import { releaseEntries } from '../../../src/search/entries/release-entries.ts';
import { storeChangelog } from '../../../src/use-cases/store-changelog.ts';
import type { TempFolder } from '../../spec/temp-folder.ts';
import { createEmptyDataFolder } from '../../spec/worlds/followed-registry.ts';
import {
  openIndexedRegistry,
  type IndexedGeneration,
  type IndexedRegistry,
} from '../../spec/worlds/indexed-registry.ts';
import { webBaseUrl } from '../../spec/worlds/small-world.ts';

let empty: TempFolder;
let world: IndexedRegistry;
let indexed: IndexedGeneration;
let sourceId: string;

const run = <Input, State, E extends DomainEvent, Facts extends object>(
  command: Command<Input, State, E, Facts>,
  input: unknown,
) => world.commands.run(command, input, world.nextRequest());

const ingest = async (...contents: readonly string[]): Promise<string[]> => {
  const items = contents.map((content, at) => ({
    title: `Release ${at}`,
    version: `1.${at}.0`,
    content,
    contentTokens: 1,
  }));
  const { results } = await world.batches.run(ingestReleases, { sourceId, items, webBaseUrl }, world.nextRequest());
  return results.map(({ id }) => id);
};
const revise = (releaseId: string, content: string) =>
  run(changeRelease, { contentTokens: 1, releaseId, changes: { content }, webBaseUrl });
const suppress = (releaseId: string) =>
  world.batches.run(suppressReleases, { sourceId, releaseIds: [releaseId], reason: 'wrong' }, world.nextRequest());

const isKnown = async (content: string, name = 'Chimera'): Promise<boolean> => {
  const hashes = releaseEntries(name, content).map(({ textHash }) => textHash);
  return (await world.vectors.get(world.embedder.model, hashes)).size > 0;
};
const followAndFill = async (): Promise<string[]> => {
  await indexed.follow();
  return indexed.fill();
};
/** The texts that an index embeds that is made anew. */
const embeddedByRebuild = async (): Promise<string[]> => {
  const rebuilt = await world.openGeneration(1_001);
  await rebuilt.follow();
  return rebuilt.fill();
};

beforeAll(async () => {
  empty = await createEmptyDataFolder();
});
afterAll(() => empty.remove());
beforeEach(async () => {
  world = await openIndexedRegistry(empty);
  indexed = await world.openGeneration(1_000);
  const { id: orgId } = await run(createOrg, { name: 'Aardvark' });
  const url = 'https://github.com/aardvark/chimera';
  sourceId = (await run(createSource, { orgId, name: 'Chimera', url })).id;
});
afterEach(() => world.close());

const secret = '- Fixed the password of the quokka';
const later = '- Fixed the secret of the wombat';
const otherSecret = '- Removed the key of the gibbon';
const otherLater = '- Removed the door of the aardwolf';

describe('a filler that is killed', () => {
  const killed = new Error('killed');
  /** Dies before this call, or right after it. */
  const dying = ({ step, isAfter }: (typeof steps)[number]): VectorStore => {
    const call = world.vectors[step] as (...given: unknown[]) => Promise<void>;
    const dies = async (...given: unknown[]): Promise<void> => {
      if (isAfter) await call(...given);
      throw killed;
    };
    return { ...world.vectors, [step]: dies };
  };
  const steps = (['hold', 'put', 'forget'] as const).flatMap((step) => [
    { step, isAfter: false },
    { step, isAfter: true },
  ]);

  it.each(steps)(
    'at its $step (after it: $isAfter) leaves what the next one does, or an erasure finds',
    async (step) => {
      const [revised, erased] = await ingest(secret, otherSecret);
      await followAndFill();
      await revise(revised!, later);
      await revise(erased!, otherLater);
      await indexed.follow();
      const late = await world.openGeneration(1_000, { keeping: dying(step) });
      await expect(late.fill()).rejects.toThrow(killed);
      await run(eraseRelease, { releaseId: erased! });
      indexed.takeFilled();
      await followAndFill();
      const texts = [secret, later, otherSecret, otherLater];
      expect(await Promise.all(texts.map((text) => isKnown(text)))).toEqual([false, true, false, false]);
      expect(indexed.takeFilled()).toEqual([sourceId]);
      expect(await embeddedByRebuild()).toEqual([]);
    },
  );

  it('tells of the sources whose texts get vectors before the index has them, or else the next one does', async () => {
    const [release] = await ingest(secret);
    await followAndFill();
    await revise(release!, later);
    await indexed.follow();
    const late = await world.openGeneration(1_000, {
      onFilled: async () => {
        throw killed;
      },
    });
    await expect(late.fill()).rejects.toThrow(killed);
    indexed.takeFilled();
    await indexed.fill();
    expect(indexed.takeFilled()).toEqual([sourceId]);
  });

  const dropIndex = async () => {
    await world.indexes.switchPointer(null, 1_000);
    await world.indexes.drop(1_001);
  };
  it.each([
    ['does not feed the index any more', dropIndex],
    ['cannot tell whether it still feeds the index', () => world.indexes.close()],
  ])('keeps nothing when it %s', async (_, happen) => {
    await ingest(secret);
    const late = await world.openGeneration(1_001);
    await late.follow();
    const away = await world.openGeneration(1_001, {
      keeping: {
        ...world.vectors,
        put: async (model, vectors) => {
          await world.vectors.put(model, vectors);
          await happen();
        },
      },
    });
    await expect(away.fill()).rejects.toThrow();
    expect(await isKnown(secret)).toBe(false);
  });
});

describe('a source that is purged while its texts are embedded', () => {
  it('has no time at which it got vectors', async () => {
    await ingest(secret);
    await indexed.follow();
    const purging: Embedder = {
      ...world.embedder,
      embed: async (texts, options) => {
        const { events } = await run(purgeSource, { sourceId, isAsked: true });
        expect(events).toHaveLength(1);
        await indexed.follow();
        return world.embedder.embed(texts, options);
      },
    };
    const best = { ...world.embedder, model: 'better' };
    const late = await world.openGeneration(1_000, { quick: purging, embedder: best });
    await late.fill();
    expect(late.takeFilled()).toEqual([]);
  });
});

describe('a text that two releases share', () => {
  const shared = '- Updated the dependencies of everything';

  it.each([
    ['is revised', (release: string) => revise(release, later)],
    ['is suppressed', suppress],
    ['is erased', (releaseId: string) => run(eraseRelease, { releaseId })],
  ])('is not embedded again when one of them %s, and is forgotten with the other', async (_, change) => {
    const [first, second] = await ingest(shared, shared);
    await followAndFill();
    await change(first!);
    await followAndFill();
    expect(await embeddedByRebuild()).toEqual([]);
    for (const releaseId of [second!, first!]) await run(eraseRelease, { releaseId });
    await followAndFill();
    expect(await isKnown(shared)).toBe(false);
  });

  it('is forgotten when both go at once', async () => {
    const releases = await ingest(shared, shared);
    await followAndFill();
    for (const releaseId of releases) await run(eraseRelease, { releaseId });
    await followAndFill();
    expect(await isKnown(shared)).toBe(false);
  });
});

describe('a release that is suppressed', () => {
  it('has its text not embedded again when it is shown again', async () => {
    const [release] = await ingest(secret);
    await followAndFill();
    await suppress(release!);
    expect(await followAndFill()).toEqual([]);
    await run(unsuppressRelease, { releaseId: release! });
    expect(await followAndFill()).toEqual([]);
    expect(await indexed.findNear('password')).toEqual([release]);
  });

  it('takes the vectors of its texts with it when it is erased', async () => {
    const [release] = await ingest(secret);
    await followAndFill();
    await suppress(release!);
    await followAndFill();
    await run(eraseRelease, { releaseId: release! });
    await followAndFill();
    expect(await isKnown(secret)).toBe(false);
  });
});

describe('vectors that were kept before it was noted who holds them', () => {
  const fillUnnoted = async (): Promise<string> => {
    const [release] = await ingest(secret);
    const unnoting = await world.openGeneration(1_000, { keeping: { ...world.vectors, hold: async () => {} } });
    await unnoting.follow();
    await unnoting.fill();
    expect(await isKnown(secret)).toBe(true);
    return release!;
  };

  it('go with their release, also when it was suppressed before', async () => {
    const release = await fillUnnoted();
    await suppress(release);
    await indexed.follow();
    await run(eraseRelease, { releaseId: release });
    await indexed.follow();
    expect(await isKnown(secret)).toBe(false);
  });

  it('go with it though the index that they were made for was replaced', async () => {
    const release = await fillUnnoted();
    const next = await world.openGeneration(1_001, { former: indexed.index });
    await next.follow();
    await world.indexes.switchPointer(null, 1_001);
    await world.indexes.drop(1_000);
    await run(eraseRelease, { releaseId: release });
    const later = await world.openGeneration(1_001);
    await later.follow();
    expect(await isKnown(secret)).toBe(false);
  });
});

describe('a model that stands in for a better one', () => {
  it('takes no vectors of that away, and gives some to what has none', async () => {
    const [first] = await ingest(secret);
    const better = await world.openGeneration(1_000, { embedder: { ...world.embedder, model: 'better' } });
    await better.follow();
    await better.fill();
    const [, second] = await ingest(secret, later);
    const standIn = await world.openGeneration(1_000, { isFallback: true });
    await standIn.follow();
    expect(await standIn.fill()).toEqual(['Chimera: Fixed the secret of the wombat']);
    const wanted = { space: world.embedder.space, model: 'better' };
    const waiting = await standIn.index.withoutVectors('release', wanted, { position: 0, id: '' }, 10);
    expect(waiting.map(({ id }) => id)).toEqual([second]);
    expect((await standIn.findNear('password'))[0]).toBe(first);
  });
});

describe('a changelog file', () => {
  const section = (word: string) => `## ${word}\n\n- ${`The ${word} leaps. `.repeat(40)}\n\n`;
  const storeFile = (content: string) =>
    storeChangelog(
      { commands: world.commands, tokenCounter: { countMany: async (texts) => texts.map((text) => text.length) } },
      { sourceId, file: { path: 'CHANGELOG.md', content } },
      world.nextRequest(),
    );
  const hashesOf = async (): Promise<string[]> => {
    const ids = await indexed.index.idsOfSource('chunk', sourceId, '', 100);
    return [...(await indexed.index.textHashesOf('chunk', ids)).values()].flat();
  };
  const knownOf = async (hashes: readonly string[]) => (await world.vectors.get(world.embedder.model, hashes)).size;

  it('keeps the vectors of what moved, and forgets those of what is gone, by whatever name it was called', async () => {
    await storeFile(section('quokka') + section('wombat') + section('gibbon'));
    await followAndFill();
    const first = await hashesOf();
    await storeFile(section('aardwolf') + section('quokka') + section('wombat'));
    const texts = await followAndFill();
    expect(texts.filter((text) => /quokka|wombat/.test(text))).toEqual([]);
    expect(await knownOf(first)).toBe(2);
    const second = await hashesOf();
    await run(changeSource, { sourceId, changes: { name: 'Dodo' } });
    await followAndFill();
    expect(await knownOf([...first, ...second])).toBe(0);
    const third = await hashesOf();
    expect(await knownOf(third)).toBe(3);
    await storeFile(section('emu'));
    await followAndFill();
    expect(await knownOf(third)).toBe(0);
  });

  it('that is renamed before it has its vectors again keeps none of its earlier name', async () => {
    await storeFile(section('quokka') + section('wombat'));
    await followAndFill();
    const first = await hashesOf();
    await storeFile(section('aardwolf') + section('quokka') + section('wombat'));
    await indexed.follow();
    await run(changeSource, { sourceId, changes: { name: 'Dodo' } });
    await followAndFill();
    expect(await knownOf(first)).toBe(0);
  });
});
