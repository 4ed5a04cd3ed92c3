import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { instantsProjection } from '../../projections/instants/instants.ts';
import { orgProjection } from '../../projections/org/org.ts';
import { sourceProjection } from '../../projections/source/source.ts';
import { type Catalogue, catalogueReads, createCatalogue } from '../../src/catalogue/catalogue.ts';
import { releaseCount } from '../../src/catalogue/numbers.ts';
import type { ReadModelSet } from '../../src/ports/read-models.ts';
import { sourceCreated } from '../spec/events/entity-events.ts';
import { erased, revised } from '../spec/events/release-events.ts';
import {
  openSampleRegistry,
  orgIdOf,
  releaseIdOf,
  type SampleRegistry,
  sourceIdOf,
} from '../spec/worlds/sample-registry.ts';

const nowMs = Date.parse('2026-03-15T12:00:00.000Z');

let registry: SampleRegistry;
beforeEach(async () => {
  registry = await openSampleRegistry(catalogueReads);
});
afterEach(() => registry.close());

describe('a catalogue that follows', () => {
  /** What a catalogue answers that was just loaded must be what one answers that followed. */
  const expectSameAsLoaded = async () => {
    const { catalogue, models } = registry;
    await catalogue.refresh();
    const loaded = await createCatalogue(models);
    for (const slug of ['a', 'b', 'c']) {
      expect(catalogue.orgBySlug(slug), slug).toEqual(loaded.orgBySlug(slug));
      expect(catalogue.sourcesBySlug(slug).map(({ id }) => id)).toEqual(loaded.sourcesBySlug(slug).map(({ id }) => id));
      const ofOrg = (each: typeof loaded) => new Set(each.sourcesOfOrg(orgIdOf(slug)).map(({ id }) => id));
      expect(ofOrg(catalogue)).toEqual(ofOrg(loaded));
      expect(catalogue.instantsOf(sourceIdOf(slug))).toEqual(loaded.instantsOf(sourceIdOf(slug)));
    }
    expect(catalogue.orgs()).toEqual(loaded.orgs());
  };

  it('knows nothing before it is refreshed and everything after', async () => {
    await registry.addOrg('a');
    expect(registry.catalogue.org(orgIdOf('a'))).toBeUndefined();
    await registry.catalogue.refresh();
    expect(registry.catalogue.org(orgIdOf('a'))?.slug).toBe('a');
    await expectSameAsLoaded();
  });

  it('gives a slug and a domain to whoever has it now', async () => {
    const { catalogue, addOrg, org } = registry;
    await addOrg('a', { domain: 'a.example', aliases: ['alias.example'] });
    await catalogue.refresh();
    await org('a', { slug: 'b', domain: null });
    await addOrg('c', { slug: 'a', domain: 'a.example' });
    await expectSameAsLoaded();
    expect(catalogue.orgBySlug('a')?.id).toBe(orgIdOf('c'));
    expect(catalogue.orgByDomain('a.example')?.id).toBe(orgIdOf('c'));
    expect(catalogue.orgByDomain('alias.example')?.id).toBe(orgIdOf('a'));
    await org('c', 'Deleted');
    await expectSameAsLoaded();
    expect(catalogue.orgBySlug('a')).toBeUndefined();
    await org('c', 'Restored');
    await expectSameAsLoaded();
    expect(catalogue.orgBySlug('a')?.id).toBe(orgIdOf('c'));
  });

  it('sorts by name in any case, then by id', async () => {
    const { catalogue, addOrg } = registry;
    await addOrg('x', { name: 'beta' });
    await addOrg('y', { name: 'Alpha' });
    await addOrg('z', { name: 'BETA' });
    await catalogue.refresh();
    expect(catalogue.orgs().map(({ slug }) => slug)).toEqual(['y', 'x', 'z']);
  });

  it('counts releases as they come, move to another month and go', async () => {
    const { catalogue, addOrg, addSource, addRelease, record } = registry;
    await addOrg('a');
    await addSource('a', 'a');
    await addRelease('one', 'a', { publishedAt: '2026-01-31T00:00:00.000Z' });
    await addRelease('two', 'a');
    const count = () => releaseCount([catalogue.instantsOf(sourceIdOf('a'))], nowMs);
    await expectSameAsLoaded();
    expect(count()).toBe(2);
    const previousPublishedAt = '2026-01-31T00:00:00.000Z';
    const moved = revised(sourceIdOf('a'), { publishedAt: '2026-02-01T00:00:00.000Z' }, { previousPublishedAt });
    await record(`release-${releaseIdOf('one')}`, [moved]);
    await expectSameAsLoaded();
    expect(count()).toBe(2);
    const gone = erased(sourceIdOf('a'), { publishedDates: ['2026-02-01T00:00:00.000Z'] });
    await record(`release-${releaseIdOf('one')}`, [gone]);
    await expectSameAsLoaded();
    expect(count()).toBe(1);
  });

  it('sees what was written before a refresh was asked for, also while another one runs', async () => {
    const { catalogue, addOrg } = registry;
    await addOrg('a');
    const first = catalogue.refresh();
    await addOrg('b');
    await catalogue.refresh();
    expect(catalogue.orgBySlug('b')).toBeDefined();
    await first;
  });

  it('loads in chunks, between which others get their turn', async () => {
    const appends = Array.from({ length: 2500 }, (_, index) => {
      const name = `s${index}`;
      return [`source-${sourceIdOf(name)}`, [sourceCreated({ orgId: null, slug: name, name })]] as const;
    });
    await registry.recordMany(appends);
    const { catalogue, models } = registry;
    await catalogue.refresh();
    const known = (each: Catalogue) => appends.filter((_, index) => each.source(sourceIdOf(`s${index}`))).length;
    expect(known(catalogue)).toBe(2500);
    let turns = 0;
    const turn = () => {
      turns += 1;
      turning = setImmediate(turn);
    };
    let turning = setImmediate(turn);
    expect(known(await createCatalogue(models))).toBe(2500);
    clearImmediate(turning);
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it.each([orgProjection, instantsProjection, sourceProjection])(
    'misses nothing that is written while it loads all of $name',
    async (written) => {
      await registry.addOrg('a');
      await registry.addSource('s', 'a');
      await registry.addRelease('first', 's', { publishedAt: '2026-01-05T00:00:00.000Z' });
      const write = async () => {
        await registry.addOrg('late');
        await registry.addSource('late', 'late');
        await registry.addRelease('second', 's', { publishedAt: '2026-02-05T00:00:00.000Z' });
        await registry.addRelease('third', 's', { publishedAt: '2026-03-05T00:00:00.000Z' });
      };
      let isWritten = false;
      const models: ReadModelSet = {
        of: (projection) => {
          const model = registry.models.of(projection);
          if (projection.name !== written.name) return model;
          const readAll: typeof model.readAll = async (onPage) => {
            await model.readAll(onPage);
            if (!isWritten) await write(); // behind what was read
            isWritten = true;
          };
          return { ...model, readAll };
        },
      };
      const loaded = await createCatalogue(models);
      await loaded.refresh();
      expect(isWritten).toBe(true);
      expect(loaded.orgBySlug('late')).toBeDefined();
      expect(loaded.sourcesBySlug('late')).toHaveLength(1);
      expect(releaseCount([loaded.instantsOf(sourceIdOf('s'))], nowMs)).toBe(3);
    },
  );

  it('finds by name what was loaded and has no place yet, and what changed since', async () => {
    await registry.addOrg('a', { name: 'Aaa' });
    for (let number = 0; number < 100; number += 1) await registry.addSource(`s${number}`, 'a');
    let isLoaded = false;
    const never = new Promise<void>(() => {});
    const loaded = await createCatalogue(registry.models, { takeTurn: () => (isLoaded ? never : Promise.resolve()) });
    isLoaded = true;
    await registry.source('s1', { name: 'Renamed', slug: 'renamed' });
    await loaded.refresh();
    const found = (word: string) => loaded.catalogNamed(word, 5).map(({ doc }) => doc.slug);
    expect(found('s0')).toEqual(['s0']);
    expect(found('renamed')).toEqual(['renamed']);
    expect(found('s99')).toEqual(['s99']);
    expect(loaded.orgsNamed('aaa', 5)).toHaveLength(1);
  });
});
