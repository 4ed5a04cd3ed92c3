import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allProjections } from '../../../projections/all-projections.ts';
import { bodiesProjection } from '../../../projections/bodies/bodies.ts';
import { releaseDetailProjection } from '../../../projections/release-detail/release-detail.ts';
import { releaseFeedProjection } from '../../../projections/release-feed/release-feed.ts';
import { releaseDetail } from '../../../queries/releases/release-detail.ts';
import { fullReleaseItems } from '../../../queries/shape/release/release-items.ts';
import { publicSight } from '../../../src/catalogue/visibility.ts';
import type { Projection } from '../../../src/kernel/projection.ts';
import type { ReadModelSet } from '../../../src/ports/read-models.ts';
import { erased, suppressed } from '../../spec/events/release-events.ts';
import {
  openSampleRegistry,
  releaseIdOf,
  releaseStream,
  type SampleRegistry,
  sourceIdOf,
} from '../../spec/worlds/sample-registry.ts';

const nowMs = Date.parse('2026-03-15T12:00:00.000Z');
const sha256 = 'a'.repeat(64);
const content = { sha256, chars: 4, parts: 1 };
const bodyStreamOf = (name: string) => `body-${releaseIdOf(name)}-${sha256}`;
const part = { type: 'BodyPartStored.v1', data: { part: 0, parts: 1, text: 'long' } };

let registry: SampleRegistry;

beforeAll(async () => {
  registry = await openSampleRegistry();
  await registry.addSource('blog', null);
  await registry.addRelease('short', 'blog', { content: 'short' });
  await registry.catalogue.refresh();
});
afterAll(() => registry.close());

const addLong = async (name: string) => {
  await registry.record(bodyStreamOf(name), [part]);
  await registry.addRelease(name, 'blog', { content });
};

const erase = (name: string, into: readonly Projection[]) => {
  const event = erased(sourceIdOf('blog'), { bodyStreams: [bodyStreamOf(name)] });
  return registry.recordOnlyIn(into, `release-${releaseIdOf(name)}`, [event]);
};

const reading = (models: ReadModelSet) => ({
  models,
  catalogue: registry.catalogue,
  webBaseUrl: 'https://registry.example',
});

/** What a page shows that has a row of the release and one of another. */
const pageWith = async (name: string, models = registry.models) => {
  const rows = await registry.models.of(releaseFeedProjection).get([releaseIdOf(name), releaseIdOf('short')]);
  expect(rows).toHaveLength(2);
  const items = await fullReleaseItems(reading(models), { rows, sight: publicSight, nowMs });
  return items.map(({ title, content: text }) => [title, text]).sort();
};

const detailOf = (name: string, models = registry.models) =>
  releaseDetail(reading(models), { release: releaseIdOf(name) }, { nowMs, admin: false });

interface Disturbance {
  readonly before?: () => Promise<void>;
  readonly after?: () => Promise<void>;
}

/** The same read models, with something happening around the first read of the bodies. */
const disturbed = ({ before, after }: Disturbance): ReadModelSet => {
  let reads = 0;
  return {
    of: (projection) => {
      const model = registry.models.of(projection);
      if (projection.name !== bodiesProjection.name) return model;
      return {
        ...model,
        get: async (ids) => {
          reads += 1;
          if (reads > 1) return model.get(ids);
          await before?.();
          const found = await model.get(ids);
          await after?.();
          return found;
        },
      };
    },
  };
};

describe('a release whose text is erased', () => {
  it('is not there, and the others of its page are, while its document stands still', async () => {
    await addLong('halted');
    expect(await pageWith('halted')).toEqual([
      ['halted', 'long'],
      ['short', 'short'],
    ]);
    await erase('halted', [bodiesProjection]);
    expect(await pageWith('halted')).toEqual([['short', 'short']]);
    await expect(detailOf('halted')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not there when it was erased while it was read, however far the documents are by then', async () => {
    const hurry = async (name: string) => {
      const eraseAndGoOn = async () => {
        await erase(name, [bodiesProjection, releaseDetailProjection]);
        const event = suppressed(sourceIdOf('blog'), null);
        await registry.recordOnlyIn([releaseDetailProjection], `release-${releaseIdOf('other')}`, [event]);
      };
      await addLong(name);
      return disturbed({ before: eraseAndGoOn });
    };
    expect(await pageWith('hurried', await hurry('hurried'))).toEqual([['short', 'short']]);
    await expect(detailOf('overtaken', await hurry('overtaken'))).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a release whose text the bodies have not seen yet', () => {
  const withoutBodies = allProjections.filter((projection) => projection !== bodiesProjection);
  const addBehind = async (name: string) => {
    await registry.recordOnlyIn([], bodyStreamOf(name), [part]);
    await registry.recordOnlyIn(withoutBodies, ...releaseStream(name, { source: 'blog', org: null }, { content }));
  };

  it('is for a later try', async () => {
    await addBehind('behind');
    await expect(pageWith('behind')).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(detailOf('behind')).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('is shown when they see it meanwhile', async () => {
    await addBehind('late');
    const catchUp = () => registry.recordOnlyIn([bodiesProjection], bodyStreamOf('late'), [part]);
    expect((await detailOf('late', disturbed({ after: catchUp }))).content).toBe('long');
  });
});
