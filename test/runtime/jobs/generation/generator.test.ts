import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeOrg } from '../../../../commands/org/change-org.ts';
import { writeOverview } from '../../../../commands/overview/write-overview.ts';
import { changeRelease } from '../../../../commands/release/change-release.ts';
import { eraseRelease } from '../../../../commands/release/erase-release.ts';
import { suppressReleases } from '../../../../commands/release/suppress-releases.ts';
import { changeSource } from '../../../../commands/source/change-source.ts';
import { writeSummary } from '../../../../commands/summary/write-summary.ts';
import { systemRandom } from '../../../../src/adapters/system/random.ts';
import { type ContentProvider, type Enrichment, ProviderFailed } from '../../../../src/generation/content-provider.ts';
import { extractiveProvider } from '../../../../src/generation/extractive/extractive-provider.ts';
import { createBatchRunner } from '../../../../src/runtime/commands/batch-runner.ts';
import { eventually } from '../../../spec/eventually.ts';
import { type GenerationWorld, openGenerationWorld } from '../../../spec/generation/generation-world.ts';
import type { TempFolder } from '../../../spec/temp-folder.ts';
import { createEmptyDataFolder } from '../../../spec/worlds/followed-registry.ts';

let empty: TempFolder;
let world: GenerationWorld;

beforeAll(async () => {
  empty = await createEmptyDataFolder();
});
beforeEach(async () => {
  world = await openGenerationWorld(empty);
});
afterEach(() => world.close());
afterAll(() => empty.remove());

const webBaseUrl = 'https://registry.example';
const dated = (day: string, content: string, version: string, more: object = {}) => ({
  title: `Rocket ${version}`,
  version,
  content,
  publishedAt: `${day}T00:00:00.000Z`,
  ...more,
});

/** A minute later, when what came in is due, and what follows is done. */
const generate = async (provider: ContentProvider = extractiveProvider) => {
  await world.settle(provider);
  world.advanceDays(2 / 1440);
  await world.settle(provider);
};

const contentOf = async (orgId: string) => (await world.overview(orgId))?.content ?? null;

const suppress = (releaseIds: readonly string[]) => {
  const { store, clock } = world;
  const batches = createBatchRunner({ store, clock, random: systemRandom, snapshots: undefined });
  return batches.run(suppressReleases, { releaseIds }, world.requestOf('suppress'));
};

describe('the overview of an org', () => {
  it('is written from its releases, as of the generator', async () => {
    const orgId = await world.createOrg('Acme');
    const sourceId = await world.createSource(orgId);
    await world.ingest(sourceId, [dated('2030-01-10', 'The rocket can fly.', '1.0.0')]);
    await generate();
    const overview = await world.overview(orgId);
    expect(overview?.content).toContain('- The rocket can fly.');
    expect(overview?.releaseCount).toBe(1);
    expect(overview?.lastContributingReleaseAt).toBe('2030-01-10T00:00:00.000Z');
    expect(overview?.citations[0]).toMatchObject({ citedText: 'The rocket can fly.' });
    expect([overview?.metadata.cause, overview?.metadata.actor]).toEqual(['generate', 'system:generator']);
  });

  it('is rewritten when releases have come and its days have passed, and only then', async () => {
    const orgId = await world.createOrg('Acme');
    const sourceId = await world.createSource(orgId);
    await world.ingest(sourceId, [dated('2030-01-10', 'The rocket can fly.', '1.0.0')]);
    await generate();
    const first = await contentOf(orgId);
    world.advanceDays(1);
    await world.ingest(sourceId, [dated('2030-01-16', 'The rocket can land.', '1.1.0')]);
    await generate();
    expect(await contentOf(orgId)).toBe(first);
    world.advanceDays(6);
    await generate();
    expect(await contentOf(orgId)).toContain('The rocket can land.');
    const second = await world.overview(orgId);
    world.advanceDays(60);
    await generate();
    expect((await world.overview(orgId))?.updatedAt).toBe(second?.updatedAt);
  });

  it('is rewritten by the days that the org says now, also where it waits by those it said before', async () => {
    const orgId = await world.createOrg('Acme');
    const sourceId = await world.createSource(orgId);
    await world.ingest(sourceId, [dated('2030-01-10', 'The rocket can fly.', '1.0.0')]);
    await generate();
    world.advanceDays(2);
    await world.ingest(sourceId, [dated('2030-01-16', 'The rocket can land.', '1.1.0')]);
    await generate();
    expect(await contentOf(orgId)).not.toContain('The rocket can land.');
    await world.commands.run(changeOrg, { orgId, changes: { overviewCadenceDays: 1 } }, world.requestOf('edit'));
    await generate();
    expect(await contentOf(orgId)).toContain('The rocket can land.');
  });

  it('is left to people where the org says so, until it says otherwise', async () => {
    const orgId = await world.createOrg('Acme', { autoGenerateContent: false });
    const sourceId = await world.createSource(orgId);
    await world.ingest(sourceId, [dated('2030-01-10', 'The rocket can fly.', '1.0.0')]);
    await generate();
    expect(await contentOf(orgId)).toBeNull();
    expect(await world.summaries(sourceId)).toEqual([]);
    await world.commands.run(changeOrg, { orgId, changes: { autoGenerateContent: true } }, world.requestOf('edit'));
    await generate();
    expect(await contentOf(orgId)).toContain('The rocket can fly.');
  });

  it('that somebody wrote stays until there are newer releases than it tells of', async () => {
    const orgId = await world.createOrg('Acme');
    const sourceId = await world.createSource(orgId);
    const fields = { content: 'By hand.', releaseCount: 1, lastContributingReleaseAt: '2030-01-10T00:00:00.000Z' };
    await world.commands.run(writeOverview, { ownerId: orgId, fields }, world.requestOf('edit'));
    await world.ingest(sourceId, [dated('2030-01-10', 'The rocket can fly.', '1.0.0')]);
    world.advanceDays(30);
    await generate();
    expect(await contentOf(orgId)).toBe('By hand.');
    await world.ingest(sourceId, [dated('2030-02-10', 'The rocket can land.', '1.1.0')]);
    await generate();
    expect(await contentOf(orgId)).toContain('The rocket can land.');
  });

  it('holds nothing that not everybody sees', async () => {
    const orgId = await world.createOrg('Acme');
    const [shown, hidden] = [await world.createSource(orgId, 'Shown'), await world.createSource(orgId, 'Hidden')];
    await world.ingest(shown, [
      dated('2030-01-10', 'The rocket can fly.', '1.0.0'),
      dated('2030-01-11', 'The secret rocket can dive.', '1.1.0'),
      dated('2030-01-12', 'The next rocket can dig.', '2.0.0-beta.1', { prerelease: true }),
      dated('2031-01-01', 'The future rocket can think.', '3.0.0'),
    ]);
    await world.ingest(hidden, [dated('2030-01-12', 'The hidden rocket can hide.', '1.0.0')]);
    await world.commands.run(changeSource, { sourceId: hidden, changes: { isHidden: true } }, world.requestOf('edit'));
    const { events } = await world.store.readAll({ afterPosition: 0, limit: 100, types: ['ReleaseIndexed.v1'] });
    const secret = events.find(({ data }) => JSON.stringify(data).includes('secret'))!.stream.id;
    await suppress([secret]);
    await generate();
    const content = await contentOf(orgId);
    expect(content).toContain('The rocket can fly.');
    for (const word of ['secret', 'next', 'future', 'hidden']) expect(content).not.toContain(`The ${word} rocket`);
    const summaries = JSON.stringify(await world.summaries(shown));
    for (const word of ['secret', 'next', 'future']) expect(summaries).not.toContain(`The ${word} rocket`);
    expect(await world.summaries(hidden)).toEqual([]);
  });

  it('that cites a release which is taken down goes at once, and is written anew without it', async () => {
    const orgId = await world.createOrg('Acme');
    const sourceId = await world.createSource(orgId);
    const [, second = ''] = await world.ingest(sourceId, [
      dated('2030-01-10', 'The rocket can fly.', '1.0.0'),
      dated('2030-01-11', 'The secret rocket can dive.', '1.1.0'),
    ]);
    await generate();
    expect(await contentOf(orgId)).toContain('secret');
    await suppress([second]);
    await world.settle(extractiveProvider);
    expect(await contentOf(orgId)).toContain('The rocket can fly.');
    expect(await contentOf(orgId)).not.toContain('secret');
    expect(JSON.stringify(await world.summaries(sourceId))).not.toContain('secret');
  });
});

describe('summaries of a source', () => {
  it('are of the last thirty days, as often as the overview, and of each month once it is over', async () => {
    const orgId = await world.createOrg('Acme');
    const sourceId = await world.createSource(orgId);
    await world.ingest(sourceId, [
      dated('2029-11-03', 'The rocket was planned.', '0.1.0'),
      dated('2030-01-10', 'The rocket can fly.', '1.0.0'),
      dated('2024-01-10', 'The rocket was dreamt of.', '0.0.1'),
    ]);
    await generate();
    const found = await world.summaries(sourceId);
    expect(found.map(({ type, year, month, windowDays }) => [type, year, month, windowDays]).sort()).toEqual([
      ['monthly', 2029, 11, null],
      ['rolling', null, null, 30],
    ]);
    const rolling = found.find(({ type }) => type === 'rolling')!;
    expect([rolling.releaseCount, rolling.cause]).toEqual([1, 'generate']);
    expect(rolling.summary).toContain('The rocket can fly.');

    await world.ingest(sourceId, [dated('2030-01-14', 'The rocket can land.', '1.1.0')]);
    await generate();
    const rollingNow = async () => (await world.summaries(sourceId)).find(({ type }) => type === 'rolling')?.summary;
    expect(await rollingNow()).toBe(rolling.summary);
    world.advanceDays(6);
    await generate();
    expect(await rollingNow()).toBe(rolling.summary);
    world.advanceDays(1);
    await generate();
    expect(await rollingNow()).toContain('The rocket can land.');

    await world.ingest(sourceId, [dated('2030-01-20', 'The rocket can dock.', '1.2.0')]);
    await generate();
    await world.commands.run(changeOrg, { orgId, changes: { overviewCadenceDays: 1 } }, world.requestOf('edit'));
    world.advanceDays(1);
    await generate();
    expect(await rollingNow()).toContain('The rocket can dock.');

    world.advanceDays(10);
    await generate();
    const january = (await world.summaries(sourceId)).find(({ year, month }) => year === 2030 && month === 1);
    expect([january?.releaseCount, january?.summary.split('\n')[0]]).toEqual([3, '3 releases in 2030-01.']);
  });

  it('of a month are written again when its releases change, and what somebody wrote stays', async () => {
    const orgId = await world.createOrg('Acme');
    const sourceId = await world.createSource(orgId);
    const [november = ''] = await world.ingest(sourceId, [dated('2029-11-03', 'The rocket was planned.', '0.1.0')]);
    await world.ingest(sourceId, [dated('2029-12-03', 'The rocket was built.', '0.2.0')]);
    world.advanceDays(1);
    const fields = { type: 'monthly', year: 2029, month: 12, summary: 'By hand.', releaseCount: 1 };
    await world.commands.run(writeSummary, { sourceId, fields }, world.requestOf('edit'));
    await generate();
    world.advanceDays(7);
    const changes = { content: 'The rocket was drawn.' };
    const input = { releaseId: november, changes, contentTokens: 5, webBaseUrl };
    await world.commands.run(changeRelease, input, world.requestOf('edit'));
    await generate();
    const texts = new Map((await world.summaries(sourceId)).map(({ month, summary }) => [month, summary]));
    expect(texts.get(11)).toContain('The rocket was drawn.');
    expect(texts.get(12)).toBe('By hand.');
  });
});

describe('erased releases', () => {
  const secretWorld = async () => {
    const orgId = await world.createOrg('Acme');
    const sourceId = await world.createSource(orgId);
    const ids = await world.ingest(sourceId, [
      dated('2030-01-10', 'The rocket can fly.', '1.0.0'),
      dated('2029-12-11', 'The secret rocket can dive.', '1.1.0'),
    ]);
    return { orgId, sourceId, secretId: ids[1]! };
  };

  const storedText = async () =>
    JSON.stringify(
      (
        await world.store.readAll({
          afterPosition: 0,
          limit: 1_000,
          types: ['OverviewWritten.v1', 'SummaryWritten.v1'],
        })
      ).events,
    );

  it('leave nothing in what was generated, in any version of it, and it is written anew', async () => {
    const { orgId, sourceId, secretId } = await secretWorld();
    await generate();
    expect(await storedText()).toContain('secret');
    await world.commands.run(eraseRelease, { releaseId: secretId }, world.requestOf('edit'));
    await world.settle(extractiveProvider);
    expect(await storedText()).not.toContain('secret');
    expect(await contentOf(orgId)).toContain('The rocket can fly.');
    expect((await world.summaries(sourceId)).map(({ type }) => type)).toEqual(['rolling']);
  });

  it('leave what somebody wrote after it, and not the generated text before', async () => {
    const { orgId, secretId } = await secretWorld();
    await generate();
    const fields = { content: 'By hand.', releaseCount: 1, lastContributingReleaseAt: '2030-01-14T00:00:00.000Z' };
    await world.commands.run(writeOverview, { ownerId: orgId, fields }, world.requestOf('edit'));
    await world.commands.run(eraseRelease, { releaseId: secretId }, world.requestOf('edit'));
    await world.settle(extractiveProvider);
    expect(await contentOf(orgId)).toBe('By hand.');
    expect(await storedText()).not.toContain('secret');
  });

  it.each(['erased', 'taken down'])('leave nothing in what a model wrote who was shown what is %s', async (how) => {
    const { orgId, secretId } = await secretWorld();
    const model: ContentProvider = {
      ...extractiveProvider,
      overviewOf: async (_, releases) => ({
        content: releases.map(({ text }) => `In my words: ${text}`).join('\n'),
        citations: [],
        shownReleaseIds: releases.map(({ id }) => id),
      }),
    };
    await generate(model);
    expect(await contentOf(orgId)).toContain('secret');
    if (how === 'erased') await world.commands.run(eraseRelease, { releaseId: secretId }, world.requestOf('edit'));
    else await suppress([secretId]);
    await world.settle(model);
    expect(await contentOf(orgId)).toMatch(/^In my words: The rocket can fly/);
    expect(await contentOf(orgId)).not.toContain('secret');
  });

  it('leave nothing in a text that was being written meanwhile', async () => {
    const { orgId, secretId } = await secretWorld();
    await world.settle(extractiveProvider);
    world.advanceDays(1);
    let isErased = false;
    const slow: ContentProvider = {
      ...extractiveProvider,
      overviewOf: async (org, releases) => {
        const draft = await extractiveProvider.overviewOf(org, releases);
        if (!isErased) await world.commands.run(eraseRelease, { releaseId: secretId }, world.requestOf('edit'));
        isErased = true;
        return draft;
      },
    };
    await world.settle(slow);
    await world.settle(slow);
    expect(await storedText()).not.toContain('secret');
    expect(await contentOf(orgId)).toContain('The rocket can fly.');
  });
});

describe('a provider that fails', () => {
  it('is asked again later, by itself, and keeps nobody else waiting', async () => {
    const [orgId, otherId] = [await world.createOrg('Acme'), await world.createOrg('Other')];
    for (const id of [orgId, otherId]) {
      await world.ingest(await world.createSource(id), [dated('2030-01-10', 'The rocket can fly.', '1.0.0')]);
    }
    let asked = 0;
    const failing: ContentProvider = {
      ...extractiveProvider,
      overviewOf: async (org, releases) => {
        if ((org as { id?: string }).id !== orgId) return extractiveProvider.overviewOf(org, releases);
        asked += 1;
        throw new ProviderFailed('limited', { status: 429, retryAfterMs: 3_600_000 });
      },
    };
    await generate(failing);
    expect(await contentOf(otherId)).toContain('The rocket can fly.');
    expect([await contentOf(orgId), asked]).toEqual([null, 1]);
    expect(world.log.lines.filter(({ sentence }) => sentence.includes('limited'))).toHaveLength(1);
    world.advanceDays(1 / 48);
    await world.settle(failing);
    expect(asked).toBe(1);
    world.advanceDays(1 / 24);
    await world.settle(extractiveProvider);
    expect(await contentOf(orgId)).toContain('The rocket can fly.');
  });

  it('that answers never keeps no process from stopping, and the next one goes on', async () => {
    const orgId = await world.createOrg('Acme');
    await world.ingest(await world.createSource(orgId), [dated('2030-01-10', 'The rocket can fly.', '1.0.0')]);
    await world.settle(extractiveProvider);
    world.advanceDays(1);
    let isAsked = false;
    const silent: ContentProvider = {
      ...extractiveProvider,
      overviewOf: () => {
        isAsked = true;
        return new Promise(() => {});
      },
    };
    const generator = world.start(silent);
    await eventually('it is asked', () => isAsked);
    await generator.close();
    expect(await contentOf(orgId)).toBeNull();
    await world.settle(extractiveProvider);
    expect(await contentOf(orgId)).toContain('The rocket can fly.');
  });

  it('lets one process work at a time', async () => {
    const orgId = await world.createOrg('Acme');
    await world.ingest(await world.createSource(orgId), [dated('2030-01-10', 'The rocket can fly.', '1.0.0')]);
    await world.settle(extractiveProvider);
    world.advanceDays(1);
    let asked = 0;
    const counting: ContentProvider = {
      ...extractiveProvider,
      overviewOf: (org, releases) => {
        asked += 1;
        return extractiveProvider.overviewOf(org, releases);
      },
    };
    const both = ['one', 'two'].map((holder) => world.start(counting, { holder }));
    await eventually('it is written', async () => (await contentOf(orgId)) !== null);
    await Promise.all(both.map(({ close }) => close()));
    await world.settle(counting);
    expect(asked).toBe(1);
  });
});

describe('enriching', () => {
  const told: Enrichment = {
    titleGenerated: 'It flies',
    titleShort: 'Flies',
    composition: { bugs: 1, features: 0, enhancements: 0 },
  };
  const enriching = (values: Enrichment = told, asked: string[] = []): ContentProvider => ({
    ...extractiveProvider,
    enrich: async ({ title }) => {
      asked.push(title);
      return values;
    },
  });
  const given = async (releaseId: string) => {
    const { events } = await world.store.read(`release-${releaseId}`);
    return events.map(({ data, metadata }) => ({ given: (data as { given?: object }).given, cause: metadata.cause }));
  };

  it('names releases by the provider, and never over what was given', async () => {
    const sourceId = await world.createSource(await world.createOrg('Acme'));
    const [bare = '', named = ''] = await world.ingest(sourceId, [
      dated('2030-01-10', 'The rocket can fly.', '1.0.0'),
      dated('2030-01-11', '## Fixes\n- It no longer falls.', '1.1.0', { titleShort: 'Ours' }),
    ]);
    await generate(enriching());
    expect((await given(bare)).at(-1)).toEqual({ given: told, cause: 'enrich' });
    expect((await given(named)).at(-1)).toEqual({ given: { titleGenerated: 'It flies' }, cause: 'enrich' });
  });

  it('is done again when the text was changed, also over what it wrote itself, but not over an edit', async () => {
    const sourceId = await world.createSource(await world.createOrg('Acme'));
    const [id = ''] = await world.ingest(sourceId, [dated('2030-01-10', 'The rocket can fly.', '1.0.0')]);
    await generate(enriching());
    const edit = (changes: object) =>
      world.commands.run(
        changeRelease,
        { releaseId: id, changes, contentTokens: 5, webBaseUrl },
        world.requestOf('edit'),
      );
    await edit({ titleShort: 'By hand' });
    await generate(enriching({ titleShort: 'Never' }));
    await edit({ content: 'The rocket can land.' });
    await generate(enriching({ titleGenerated: 'It lands', titleShort: 'Lands' }));
    expect((await given(id)).at(-1)).toEqual({ given: { titleGenerated: 'It lands' }, cause: 'enrich' });
  });

  it('asks for so many in a minute, and for no old releases', async () => {
    const sourceId = await world.createSource(await world.createOrg('Acme'));
    const recent = Array.from({ length: 5 }, (_, n) =>
      dated('2030-01-10', `The rocket can fly ${n} times.`, `1.${n}.0`),
    );
    await world.ingest(sourceId, [...recent, dated('2029-01-10', 'The rocket was new.', '0.1.0')]);
    const asked: string[] = [];
    const provider = enriching({ titleShort: 'Short' }, asked);
    await world.settle(provider);
    world.advanceDays(2 / 1440);
    const generator = world.start(provider, { enrichmentsPerMinute: 2 });
    await eventually('some were named', () => asked.length >= 2);
    await eventually('texts are written, too', async () => (await world.summaries(sourceId)).length > 0);
    expect(asked).toHaveLength(2);
    world.advanceDays(1 / 1440);
    await eventually('the next were named', () => asked.length >= 4);
    await generator.close();
    expect(asked).toHaveLength(4);
    expect(asked).not.toContain('Rocket 0.1.0');
  });
});
