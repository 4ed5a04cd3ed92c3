import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodiesProjection } from '../../projections/bodies/bodies.ts';
import { type ChangelogSliceInput, changelogSlice } from '../../queries/sources/changelog-slice.ts';
import { summariesList } from '../../queries/sources/summaries-list.ts';
import type { BodyEvent } from '../../src/domain/body/events.ts';
import type { ChangelogFileStored } from '../../src/domain/changelog/events.ts';
import { outlineOf } from '../../src/domain/changelog/outline.ts';
import type { SummaryWritten } from '../../src/domain/summary/events.ts';
import type { ReadModelSet } from '../../src/ports/read-models.ts';
import { openSampleRegistry, type SampleRegistry, sourceIdOf } from '../spec/worlds/sample-registry.ts';

const at = '2026-03-01T00:00:00.000Z';
const whole: ChangelogSliceInput = { path: null, offset: null, limit: null, tokens: null };

let registry: SampleRegistry;

beforeAll(async () => {
  registry = await openSampleRegistry();
});
afterAll(() => registry.close());

/** A repository of its own for each test. */
const addRepository = async (name: string) => {
  await registry.addSource(name, null, { type: 'github', url: `https://github.com/acme/${name}` });
  await registry.catalogue.refresh();
  return registry.catalogue.source(sourceIdOf(name))!;
};

const storeFile = async (sourceId: string, key: string, texts: readonly string[]) => {
  const content = texts.join('');
  const { pages, firsts, tokens } = await outlineOf(content, async (sections) => sections.map(({ length }) => length));
  const parts = [...texts, ...pages].map((text, part, all): BodyEvent => {
    return { type: 'BodyPartStored.v1', data: { part, parts: all.length, text } };
  });
  const stored: ChangelogFileStored = {
    type: 'ChangelogFileStored.v1',
    data: {
      path: 'CHANGELOG.md',
      url: null,
      rawUrl: null,
      sha256: '',
      bytes: Buffer.byteLength(content),
      chars: content.length,
      tokens,
      truncated: false,
      fetchedAt: at,
      text: { key, partChars: texts.map(({ length }) => length), pages: firsts },
      replacedKey: null,
    },
  };
  await registry.record(`body-${sourceId}-${key}`, parts);
  await registry.record(`changelog-${sourceId}`, [stored]);
};

const eraseText = (sourceId: string, key: string) => {
  const erased: BodyEvent = { type: 'BodyErased.v1', data: {} };
  return registry.record(`body-${sourceId}-${key}`, [erased]);
};

/** The same read models, with something happening before the bodies are read. */
const disturbed = (before: () => Promise<void>): ReadModelSet => ({
  of: (projection) => {
    const model = registry.models.of(projection);
    if (projection.name !== bodiesProjection.name) return model;
    return {
      ...model,
      get: async (ids) => {
        await before();
        return model.get(ids);
      },
    };
  },
});

describe('a slice of a changelog file', () => {
  it('is put together from the parts that it touches', async () => {
    const source = await addRepository('parted');
    const parts = ['# A\nab', 'cd\n# B\n', 'ef\n# C\n', 'gh'];
    const text = parts.join('');
    await storeFile(source.id, 'k', parts);
    const starts = [0, 9, 16, text.length];
    for (let offset = 0; offset <= text.length; offset += 1) {
      const from = starts.find((start) => start >= offset)!;
      const { content, nextOffset } = await changelogSlice(registry, source, { ...whole, offset, limit: 1 });
      const end = starts.find((start) => start > from) ?? text.length;
      expect(content, String(offset)).toBe(text.slice(from, end));
      expect(nextOffset).toBe(end === text.length ? null : end);
    }
  });

  it('is of the newer version when the older one is erased while it is read', async () => {
    const source = await addRepository('replaced');
    await storeFile(source.id, 'old', ['# Old\n']);
    let isReplaced = false;
    const models = disturbed(async () => {
      if (isReplaced) return;
      isReplaced = true;
      await storeFile(source.id, 'new', ['# New\n']);
      await eraseText(source.id, 'old');
    });
    expect((await changelogSlice({ models }, source, whole)).content).toBe('# New\n');
  });

  it('is for a later try where the bodies have not got it yet', async () => {
    const source = await addRepository('behind');
    await storeFile(source.id, 'gone', ['# Gone\n']);
    await eraseText(source.id, 'gone');
    await expect(changelogSlice(registry, source, whole)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('has an exact number of tokens in all below 256 KiB, else an estimate', async () => {
    const source = await addRepository('estimated');
    await storeFile(source.id, 'small', ['x'.repeat(262_143)]);
    expect((await changelogSlice(registry, source, whole)).totalTokens).toBe(262_143);
    await storeFile(source.id, 'large', ['x'.repeat(262_145)]);
    expect((await changelogSlice(registry, source, whole)).totalTokens).toBe(65_537);
  });
});

describe('the summaries of a source', () => {
  it('are the hundred newest, and those of any month that is asked for', async () => {
    const source = await addRepository('old-times');
    const sourceId = source.id;
    const written = (n: number): SummaryWritten => ({
      type: 'SummaryWritten.v1',
      data: {
        sourceId,
        type: 'monthly',
        year: 2000 + Math.floor(n / 12),
        month: (n % 12) + 1,
        windowDays: null,
        summary: String(n),
        releaseCount: 0,
        generatedAt: new Date(Date.UTC(2026, 0, 1) + n).toISOString(),
      },
    });
    const streams = Array.from({ length: 130 }, (_, n) => [`summary-sum_${n}`, [written(n)]] as const);
    await registry.recordMany(streams);
    const all = { sourceSlug: 'old-times', sourceId: null, type: null, year: null, month: null };
    const textsOf = async (input: object) =>
      (await summariesList(registry, { ...all, ...input }, { admin: false })).items.map(({ summary }) =>
        Number(summary),
      );
    const newest = Array.from({ length: 100 }, (_, n) => 129 - n);
    expect(await textsOf({})).toEqual(newest);
    expect(await textsOf({ type: 'monthly' })).toEqual(newest);
    expect(await textsOf({ year: 2000, month: 3 })).toEqual([2]);
    expect(await textsOf({ year: 2000 })).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  });
});
