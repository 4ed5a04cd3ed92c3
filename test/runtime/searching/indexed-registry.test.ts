import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeOrg } from '../../../commands/org/change-org.ts';
import { createOrg } from '../../../commands/org/create-org.ts';
import { changeProduct } from '../../../commands/product/change-product.ts';
import { createProduct } from '../../../commands/product/create-product.ts';
import { changeRelease } from '../../../commands/release/change-release.ts';
import { eraseRelease } from '../../../commands/release/erase-release.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { suppressReleases } from '../../../commands/release/suppress-releases.ts';
import { unsuppressRelease } from '../../../commands/release/unsuppress-release.ts';
import { changeSource } from '../../../commands/source/change-source.ts';
import { createSource } from '../../../commands/source/create-source.ts';
import type { Command } from '../../../src/kernel/command.ts';
import type { DomainEvent } from '../../../src/kernel/event.ts';
import type { Projection } from '../../../src/kernel/projection.ts';
import type { ReadModelSet } from '../../../src/ports/read-models.ts';
import { LeaseLost } from '../../../src/runtime/resilience/held-leases.ts';
import { bodiesProjection } from '../../../projections/bodies/bodies.ts';
import type { VectorStore } from '../../../src/ports/search-index.ts';
import { releaseEntries } from '../../../src/search/entries/release-entries.ts';
import { parseChunkDocumentId } from '../../../src/search/chunks/chunk-document.ts';
import { storeChangelog } from '../../../src/use-cases/store-changelog.ts';
import type { TempFolder } from '../../spec/temp-folder.ts';
import { createEmptyDataFolder } from '../../spec/worlds/followed-registry.ts';
import { openIndexedRegistry, type IndexedRegistry } from '../../spec/worlds/indexed-registry.ts';
import { webBaseUrl } from '../../spec/worlds/small-world.ts';

let empty: TempFolder;
let world: IndexedRegistry;
let indexed: Awaited<ReturnType<IndexedRegistry['openGeneration']>>;
let orgId: string;
let productId: string;
let sourceId: string;

const run = <Input, State, E extends DomainEvent, Facts extends object>(
  command: Command<Input, State, E, Facts>,
  input: unknown,
) => world.commands.run(command, input, world.nextRequest());

const ingest = async (...contents: readonly string[]): Promise<string[]> => {
  const items = contents.map((content, at) => ({
    title: `Release ${at}`,
    version: `1.${at}.${contents.length > 300 ? contents.length : 0}`,
    content,
    contentTokens: 1,
  }));
  const { results } = await world.batches.run(ingestReleases, { sourceId, items, webBaseUrl }, world.nextRequest());
  return results.map(({ id }) => id);
};

const storeFile = (content: string) =>
  storeChangelog(
    { commands: world.commands, tokenCounter: { countMany: async (texts) => texts.map((text) => text.length) } },
    { sourceId, file: { path: 'CHANGELOG.md', content } },
    world.nextRequest(),
  );

beforeAll(async () => {
  empty = await createEmptyDataFolder();
});
afterAll(() => empty.remove());
beforeEach(async () => {
  world = await openIndexedRegistry(empty);
  indexed = await world.openGeneration(1_000);
  orgId = (await run(createOrg, { name: 'Aardvark' })).id;
  productId = (await run(createProduct, { orgId, name: 'Basilisk' })).id;
  const url = 'https://github.com/aardvark/chimera';
  sourceId = (await run(createSource, { orgId, productId, name: 'Chimera', url })).id;
});
afterEach(() => world.close());

describe('releases in the index', () => {
  it('are found by their texts, titles, versions and the names of what they belong to', async () => {
    const [first, second] = await ingest('- The quokka leaps over everything', '- The wombat sleeps for a whole day');
    await indexed.follow();
    expect(await indexed.find('quokka')).toEqual([first]);
    expect(await indexed.find('1.1.0')).toEqual([second]);
    for (const name of ['aardvark', 'basilisk', 'chimera']) {
      expect(await indexed.find(`wombat ${name}`)).toEqual([second]);
    }
    expect(await indexed.index.checkpoint()).toBe(await world.store.head());
  });

  it('follow what is revised, suppressed and shown again', async () => {
    const [release] = await ingest('- The quokka leaps over everything');
    await indexed.follow();
    await run(changeRelease, {
      contentTokens: 1,
      releaseId: release!,
      changes: { content: '- The wombat sleeps for a day' },
      webBaseUrl,
    });
    await indexed.follow();
    expect([await indexed.find('quokka'), await indexed.find('wombat')]).toEqual([[], [release]]);
    const suppressing = { sourceId, releaseIds: [release!], reason: 'wrong' };
    await world.batches.run(suppressReleases, suppressing, world.nextRequest());
    await indexed.follow();
    expect(await indexed.find('wombat')).toEqual([]);
    await run(unsuppressRelease, { releaseId: release! });
    await indexed.follow();
    expect(await indexed.find('wombat')).toEqual([release]);
  });

  it('are found by new names and no longer by old ones, however many there are', async () => {
    const releases = await ingest(...Array.from({ length: 120 }, (_, at) => `- The quokka leaps ${at} times a day`));
    await indexed.follow();
    await run(changeOrg, { orgId, changes: { name: 'Dodo' } });
    await run(changeProduct, { productId, changes: { name: 'Emu' } });
    await run(changeSource, {
      sourceId,
      changes: { name: 'Ferret', packages: [{ ecosystem: 'npm', name: 'gibbon' }] },
    });
    await indexed.follow();
    for (const gone of ['aardvark', 'basilisk', 'chimera']) expect(await indexed.find(`quokka ${gone}`)).toEqual([]);
    for (const name of ['dodo', 'emu', 'ferret', 'gibbon']) {
      expect((await indexed.find(`quokka ${name}`)).length).toBe(50);
    }
    expect(await indexed.find('"119" dodo')).toEqual([releases[119]]);
  });

  it('are not found by the name of a product that nobody sees', async () => {
    const [release] = await ingest('- The quokka leaps over everything');
    await run(changeProduct, { productId, changes: { isHidden: true } });
    await indexed.follow();
    expect(await indexed.find('quokka basilisk')).toEqual([]);
    expect(await indexed.find('quokka chimera')).toEqual([release]);
    await run(changeProduct, { productId, changes: { isHidden: false } });
    await indexed.follow();
    expect(await indexed.find('quokka basilisk')).toEqual([release]);
  });

  it('are the same however the log is cut into batches', async () => {
    await ingest('- The quokka leaps over everything', '- The wombat sleeps for a whole day', 'No changes.');
    const [release] = await ingest('- The quokka leaps under everything');
    await run(changeOrg, { orgId, changes: { name: 'Dodo' } });
    await run(eraseRelease, { releaseId: release! });
    const single = await world.openGeneration(1_001, { batchSize: 1 });
    for (const each of [indexed, single]) await each.follow();
    for (const words of ['quokka', 'wombat', 'dodo', 'aardvark', 'release', 'under']) {
      expect(await single.find(words), words).toEqual(await indexed.find(words));
    }
    expect(await single.index.count('release')).toBe(await indexed.index.count('release'));
  });
});

describe('documents whose text is just being replaced', () => {
  /** As they are between two events: the text is gone, and what named it is still there. */
  const withoutBodies = (): ReadModelSet => ({
    ...world.models,
    of: ((projection: Projection) => {
      const model = world.models.of(projection as never);
      return projection === bodiesProjection ? { ...model, get: async () => [] } : model;
    }) as ReadModelSet['of'],
  });

  it('stay as they were, until the event that tells of them', async () => {
    const [long, short] = await ingest(`- The quokka leaps ${'and leaps '.repeat(40_000)}`, '- The wombat sleeps');
    await storeFile('## 1.0.0\n\n- The gibbon sings\n');
    await indexed.follow();
    const [chunk] = await indexed.find('gibbon', 'chunk');
    await run(changeOrg, { orgId, changes: { name: 'Dodo' } });
    const late = await world.openGeneration(1_000, { reading: withoutBodies() });
    await late.follow();
    expect([await indexed.find('wombat aardvark'), await indexed.find('wombat dodo')]).toEqual([[], [short]]);
    expect(await indexed.find('quokka')).toEqual([long]);
    expect(await indexed.find('gibbon', 'chunk')).toEqual([chunk]);
  });
});

describe('vectors', () => {
  it('make what is alike be found, one for each entry', async () => {
    const [first, second] = await ingest(
      '- Fixed a memory leak in the parser\n- Renamed the option for colours',
      '- Added support for dark mode',
    );
    await indexed.follow();
    expect((await indexed.fill()).sort()).toEqual([
      'Basilisk: Added support for dark mode',
      'Basilisk: Fixed a memory leak in the parser',
      'Basilisk: Renamed the option for colours',
      'Chimera. Basilisk. Aardvark',
    ]);
    expect((await indexed.findNear('memory leak'))[0]).toBe(first);
    expect((await indexed.findNear('dark mode'))[0]).toBe(second);
  });

  it('are not made again of a text that is known: neither by a rebuild nor where it was not changed', async () => {
    const [release] = await ingest('- Fixed a memory leak in the parser\n- Added support for dark mode');
    await indexed.follow();
    await indexed.fill();
    const content = '- Fixed a memory leak in the parser\n- Added support for light mode';
    await run(changeRelease, { contentTokens: 1, releaseId: release!, changes: { content }, webBaseUrl });
    await indexed.follow();
    expect(await indexed.findNear('memory leak')).toEqual([]); // until it has its vectors again
    expect(await indexed.fill()).toEqual(['Basilisk: Added support for light mode']);
    const rebuilt = await world.openGeneration(1_001);
    await rebuilt.follow();
    expect(await rebuilt.fill()).toEqual([]);
    expect(await rebuilt.findNear('light mode')).toEqual([release]);
  });

  it('are told of by source, but not where a text says nothing that could have some', async () => {
    await indexed.follow();
    await indexed.fill();
    expect(indexed.takeFilled()).toEqual([sourceId]); // what is told of the source itself
    const [bare] = await ingest('No changes.');
    await indexed.follow();
    await indexed.fill();
    expect(indexed.takeFilled()).toEqual([]);
    const content = '- Fixed a memory leak in the parser';
    await run(changeRelease, { contentTokens: 1, releaseId: bare!, changes: { content }, webBaseUrl });
    await indexed.follow();
    await indexed.fill();
    expect(indexed.takeFilled()).toEqual([sourceId]);
  });

  it('are given at any pace, whether the embedder is quick or slow', async () => {
    const texts = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => `- Number ${from + at} of the quokkas leaps over everything`);
    await ingest(...texts(0, 450));
    await ingest(...texts(450, 400));
    let slowMs = 0;
    const slow = await world.openGeneration(1_001, {
      keeping: {
        ...world.vectors,
        get: async (model, hashes) => {
          world.clock.advance(slowMs);
          slowMs = hashes.length >= 200 ? 10_000 : slowMs;
          return world.vectors.get(model, hashes);
        },
      },
    });
    await slow.follow();
    expect(await slow.fill()).toHaveLength(851);
  });

  it('of erased texts are in no store any more, also those of an earlier text', async () => {
    const secret = '- Fixed the password of the quokka';
    const [release] = await ingest(secret);
    await indexed.follow();
    await indexed.fill();
    const later = '- Fixed the secret of the wombat';
    await run(changeRelease, { contentTokens: 1, releaseId: release!, changes: { content: later }, webBaseUrl });
    await indexed.follow();
    await indexed.fill();
    const known = async (text: string) => {
      const hashes = releaseEntries('Basilisk', text).map(({ textHash }) => textHash);
      return (await world.vectors.get(world.embedder.model, hashes)).size;
    };
    expect([await known(secret), await known(later)]).toEqual([0, 1]);
    await run(eraseRelease, { releaseId: release! });
    await indexed.follow();
    expect(await known(later)).toBe(0);
    expect(await indexed.index.vectorsOf('release', release!, world.embedder.space)).toEqual([]);
    await indexed.index.scrub();
    const files = readdirSync(join(world.folder, 'search')).map((name) => join(world.folder, 'search', name));
    for (const word of ['password', 'wombat']) {
      expect(
        files.filter((file) => readFileSync(file).includes(word)),
        word,
      ).toEqual([]);
    }
  });

  it('of a text are forgotten with it though the index that they were made for was replaced', async () => {
    const [release] = await ingest('- Fixed the password of the quokka');
    await indexed.follow();
    await indexed.fill();
    const hashes = releaseEntries('Basilisk', '- Fixed the password of the quokka').map(({ textHash }) => textHash);
    const known = async () => (await world.vectors.get(world.embedder.model, hashes)).size;
    const next = await world.openGeneration(1_001, { former: indexed.index });
    await next.follow();
    await world.indexes.switchPointer(null, 1_001);
    await world.indexes.drop(1_000);
    expect(await known()).toBe(1);
    await run(eraseRelease, { releaseId: release! });
    const later = await world.openGeneration(1_001);
    await later.follow();
    expect(await known()).toBe(0);
  });

  it('stay where only a description changed above them', async () => {
    const [release] = await ingest('- Fixed a memory leak in the parser');
    await indexed.follow();
    await indexed.fill();
    await run(changeOrg, { orgId, changes: { description: 'Animals of all kinds' } });
    await run(changeProduct, { productId, changes: { description: 'Looks that kill' } });
    await indexed.follow();
    expect(await indexed.findNear('memory leak')).toEqual([release]);
    expect(await indexed.find('animals', 'source')).toEqual([sourceId]);
    expect(await indexed.fill()).toEqual(['Chimera. Basilisk. Aardvark. Looks that kill. Animals of all kinds']);
  });

  it('are not kept by who has lost the lease meanwhile', async () => {
    await ingest('- Fixed the password of the quokka');
    let isLost = false;
    const loseLease: VectorStore['put'] = async (model, kept) => {
      await world.vectors.put(model, kept);
      if (isLost) return;
      isLost = true;
      world.clock.advance(4_000_000);
      expect(await late.index.leases.acquire('search', 'another', 1_000)).not.toBeNull();
    };
    const late = await world.openGeneration(1_001, { keeping: { ...world.vectors, put: loseLease } });
    await late.follow();
    await expect(late.fill()).rejects.toThrow(LeaseLost);
    const hashes = releaseEntries('Basilisk', '- Fixed the password of the quokka').map(({ textHash }) => textHash);
    expect([isLost, (await world.vectors.get(world.embedder.model, hashes)).size]).toEqual([true, 0]);
  });

  it('are not asked for again of a text that means nothing to the model, neither by a rebuild', async () => {
    await ingest('- Fixed a memory leak in the parser', '- Something that the model refuses');
    const refusing = {
      ...world.embedder,
      embed: async (texts: readonly string[]) => {
        const made = await world.embedder.embed(texts);
        return made.map((meaning, at) => (texts[at]!.includes('refuses') ? null : meaning));
      },
    };
    const one = await world.openGeneration(1_001, { embedder: refusing });
    await one.follow();
    expect(await one.fill()).toContain('Basilisk: Something that the model refuses');
    expect(await one.fill()).toEqual([]);
    const rebuilt = await world.openGeneration(1_002, { embedder: refusing });
    await rebuilt.follow();
    expect(await rebuilt.fill()).toEqual([]);
  });

  it('of a text that was erased while it was embedded are not kept', async () => {
    const [release] = await ingest('- Fixed the password of the quokka');
    const eraseMeanwhile: VectorStore['get'] = async (model, hashes) => {
      await run(eraseRelease, { releaseId: release! });
      await late.follow();
      return world.vectors.get(model, hashes);
    };
    const late = await world.openGeneration(1_001, { keeping: { ...world.vectors, get: eraseMeanwhile } });
    await late.follow();
    expect(await late.fill()).toContain('Basilisk: Fixed the password of the quokka');
    const hashes = releaseEntries('Basilisk', '- Fixed the password of the quokka').map(({ textHash }) => textHash);
    expect((await world.vectors.get(world.embedder.model, hashes)).size).toBe(0);
  });
});

describe('chunks of changelog files', () => {
  const section = (version: string, word: string) => `## ${version}\n\n- ${`The ${word} leaps. `.repeat(40)}\n\n`;

  it('are found by their texts, where they stand in the file', async () => {
    const content = section('2.0.0', 'quokka') + section('1.0.0', 'wombat');
    await storeFile(content);
    await indexed.follow();
    const [id] = await indexed.find('wombat', 'chunk');
    const { offset, length } = parseChunkDocumentId(id!)!;
    expect(content.slice(offset, offset + length)).toContain('wombat');
    await indexed.fill();
    expect((await indexed.findNear('wombat', 'chunk'))[0]).toBe(id);
  });

  it('of a file that grew at its top are those of the new text alone, and are not embedded again', async () => {
    const old = section('2.0.0', 'quokka') + section('1.0.0', 'wombat') + section('0.9.0', 'gibbon');
    await storeFile(old);
    await indexed.follow();
    await indexed.fill();
    await storeFile(section('3.0.0', 'aardwolf') + old);
    await indexed.follow();
    const fresh = await world.openGeneration(1_001);
    await fresh.follow();
    for (const word of ['aardwolf', 'quokka', 'wombat', 'gibbon', 'leaps']) {
      expect(await indexed.find(word, 'chunk'), word).toEqual(await fresh.find(word, 'chunk'));
    }
    expect(await indexed.index.count('chunk')).toBe(await fresh.index.count('chunk'));
    expect((await indexed.fill()).filter((text) => !text.includes('aardwolf'))).toEqual([]);
  });

  it('of an earlier text are gone', async () => {
    await storeFile(section('2.0.0', 'quokka') + section('1.0.0', 'wombat'));
    await indexed.follow();
    await indexed.fill();
    await storeFile(section('3.0.0', 'gibbon'));
    await indexed.follow();
    expect(await indexed.find('wombat', 'chunk')).toEqual([]);
    expect(await indexed.find('quokka', 'chunk')).toEqual([]);
    expect(await indexed.find('gibbon', 'chunk')).toHaveLength(1);
    expect(await indexed.index.count('chunk')).toBe(1);
  });
});
