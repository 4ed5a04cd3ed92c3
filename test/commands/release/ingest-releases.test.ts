import { describe, expect, it } from 'vitest';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import type { ReleaseEvent, ReleaseIndexed, ReleaseRevised } from '../../../src/domain/release/events.ts';
import { releaseIdOf } from '../../../src/domain/release/identity.ts';
import { givenBatch } from '../../spec/given-batch.ts';
import { testNow } from '../../spec/given-when-then.ts';
import { orgDeleted, sourceDeleted } from '../../spec/events/entity-events.ts';
import { suppressed, unsuppressed } from '../../spec/events/release-events.ts';
import { orgId, parentsAfter, releaseErased, sourceId, webBaseUrl } from '../../spec/worlds/release-world.ts';

const idOf = (kind: 'url' | 'version' | 'title', value: string): string => releaseIdOf(sourceId, { kind, value });
const streamFor = (version: string): string => `release-${idOf('version', version)}`;

const facts = parentsAfter();
const batch = (...items: object[]) => ({ sourceId, webBaseUrl, items });
const first = { title: 'Rockets stand', version: '1.2.0', content: 'They no longer fall over.', contentTokens: 6 };

const ingest = (items: object[], past: Record<string, readonly ReleaseEvent[]> = {}) =>
  givenBatch(ingestReleases, past)
    .when(batch(...items), { facts })
    .decided();

/** The events of a release that was ingested before. */
const ingested = (item: object = first): Record<string, readonly ReleaseEvent[]> =>
  Object.fromEntries(ingest([item]).eventsByStream);

const revisedBy = (item: object, past = ingested()): ReleaseRevised['data'] => {
  const { results, events } = ingest([item], past);
  expect(results.map(({ result }) => result)).toEqual(['revised']);
  expect(events.map(({ type }) => type)).toEqual(['ReleaseRevised.v1']);
  return (events[0] as ReleaseRevised).data;
};

describe('a release that is new', () => {
  it('is indexed with its given and its derived values apart', () => {
    const { results, events } = ingest([first]);
    expect(results).toEqual([{ id: idOf('version', '1.2.0'), result: 'inserted' }]);
    expect(events[0]).toEqual({
      type: 'ReleaseIndexed.v1',
      data: {
        sourceId,
        orgId,
        identity: { kind: 'version', value: '1.2.0' },
        given: { title: 'Rockets stand', content: 'They no longer fall over.', version: '1.2.0' },
        derived: {
          publishedAt: null,
          type: 'feature',
          prerelease: false,
          breaking: 'unknown',
          migrationNotes: null,
          importance: 3,
          composition: null,
          summary: 'They no longer fall over.',
          contentChars: 25,
          contentTokens: 6,
          contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        fetchedAt: testNow,
        pending: false,
        announcement: 'now',
      },
    } satisfies ReleaseEvent);
  });

  it('has empty content, without numbers, when none is sent', () => {
    const { data } = ingest([{ title: 'Bare' }]).events[0] as ReleaseIndexed;
    expect(data.given).toEqual({ title: 'Bare', content: '' });
    expect(data.derived).toMatchObject({ contentChars: null, contentTokens: null, contentHash: null, summary: '' });
  });

  it('keeps every given value beside what would be derived', () => {
    const given = {
      title: 'March 2026',
      content: 'x',
      version: '2.0.0-rc.1',
      url: 'https://acme.example/2',
      publishedAt: '2026-02-01T00:00:00.000Z',
      type: 'feature',
      prerelease: false,
      summary: 'Told',
      titleGenerated: 'Generated',
      titleShort: 'Short',
      breaking: 'major',
      importance: 5,
      migrationNotes: 'Look out',
      composition: { bugs: 1, features: 2, enhancements: 3 },
      media: [{ type: 'image', url: 'https://acme.example/a.png' }],
    };
    const { data } = ingest([{ ...given, contentTokens: 1 }]).events[0] as ReleaseIndexed;
    expect(data.given).toEqual(given);
    expect(data.derived).toMatchObject({ type: 'feature', summary: 'x', importance: 1, composition: null });
  });

  it('takes null for a value that was not given', () => {
    const { data } = ingest([{ ...first, url: null, prerelease: null, media: [] }]).events[0] as ReleaseIndexed;
    expect(data.given).toEqual({ title: first.title, content: first.content, version: '1.2.0' });
  });

  it.each([
    ['2.0.0-beta.1', true],
    ['2.0.0', false],
    ['2.0.0-hotfix', false],
  ])('derives from the version %s that prerelease is %s', (version, prerelease) => {
    const { data } = ingest([{ title: 'One', version }]).events[0] as ReleaseIndexed;
    expect(data.derived.prerelease).toBe(prerelease);
  });

  it('refuses content without its count', () => {
    const refused = ingestReleases.input.safeParse(batch(first, { title: 'Uncounted', content: 'x' }));
    expect(refused.error?.issues.map(({ path }) => path.join('.'))).toEqual(['items.1.contentTokens']);
  });

  it('is refused with the whole batch when one item is wrong', () => {
    const refused = ingestReleases.input.safeParse(batch(first, { title: '' }, { ...first, url: 'x' }));
    expect(refused.error?.issues.map(({ path }) => path.join('.'))).toEqual(['items.1.title', 'items.2.url']);
    expect(ingestReleases.input.safeParse(batch()).success).toBe(false);
    expect(ingestReleases.input.safeParse(batch(...Array.from({ length: 501 }, () => first))).success).toBe(false);
  });
});

describe('the identity', () => {
  it.each([
    [
      'its own address',
      { title: 'One', version: '1.0.0', url: 'https://Acme.example/r/1/?utm_source=x' },
      'url',
      'https://acme.example/r/1',
    ],
    [
      'its version beside the address of the source',
      { title: 'One', version: 'v1.0.0', url: facts.source.url },
      'version',
      '1.0.0',
    ],
    [
      'title and day beside a placeholder',
      { title: ' Big  News', version: 'latest', publishedAt: '2026-02-01' },
      'title',
      'big news\n2026-02-01',
    ],
    ['the title alone', { title: 'News' }, 'title', 'news\n-'],
    ['the title and the day in it', { title: 'News of 2026-02-01' }, 'title', 'news of 2026-02-01\n2026-02-01'],
    ['the title and the month in it', { title: 'News of March 2026' }, 'title', 'news of march 2026\n2026-03-01'],
    [
      'the title and the day that was sent, not the one in it',
      { title: 'News of 2026-02-01', publishedAt: '2026-02-03' },
      'title',
      'news of 2026-02-01\n2026-02-03',
    ],
  ] as const)('is %s', (_, item, kind, value) => {
    const { results, events } = ingest([item]);
    expect(results[0]?.id).toBe(idOf(kind, value));
    expect((events[0] as ReleaseIndexed).data.identity).toEqual({ kind, value });
  });

  it('leaves a placeholder out of the given values', () => {
    const { data } = ingest([{ title: 'March 2026', version: 'unknown' }]).events[0] as ReleaseIndexed;
    expect(data.given).not.toHaveProperty('version');
    expect(data.derived).toMatchObject({ type: 'rollup', importance: null, publishedAt: '2026-03-01T00:00:00.000Z' });
  });
});

describe('a release that is known', () => {
  it('is unchanged when nothing that was sent differs', () => {
    for (const item of [first, { title: first.title, version: '1.2.0' }, { ...first, url: null, media: [] }]) {
      const { results, events } = ingest([item], ingested());
      expect(results).toEqual([{ id: idOf('version', '1.2.0'), result: 'unchanged' }]);
      expect(events).toEqual([]);
    }
  });

  it('is unchanged when composition and media are the same again', () => {
    const item = {
      ...first,
      composition: { bugs: 1, features: 0, enhancements: 0 },
      media: [{ type: 'gif', url: 'https://acme.example/a.gif', alt: 'A' }],
    };
    const again = { ...item, media: [{ alt: 'A', url: 'https://acme.example/a.gif', type: 'gif' }] };
    expect(ingest([again], ingested(item)).results[0]?.result).toBe('unchanged');
  });

  it('is revised with the changed values only, without another announcement', () => {
    const data = revisedBy({ ...first, title: 'Rockets stand still', importance: 4 });
    expect(data).toMatchObject({ sourceId, orgId, revision: 2, pending: false, previousPublishedAt: null });
    expect(data.given).toEqual({ title: 'Rockets stand still', importance: 4 });
  });

  it('keeps absent values and computes derived ones again over all of them', () => {
    const data = revisedBy({ title: 'Rockets, 2026-02-14', version: '1.2.0' });
    expect(data.given).toEqual({ title: 'Rockets, 2026-02-14' });
    expect(data.derived).toMatchObject({
      publishedAt: '2026-02-14T00:00:00.000Z',
      summary: first.content,
      contentTokens: 6,
      importance: 3,
    });
  });

  it('counts new content anew', () => {
    const data = revisedBy({ ...first, content: '## Breaking\n\nAll of it moved.', contentTokens: 9 });
    expect(data.derived).toMatchObject({ contentTokens: 9, contentChars: 29, breaking: 'major' });
    expect(revisedBy({ ...first, content: '', contentTokens: 0 }).derived).toMatchObject({ contentTokens: null });
  });

  it('takes a given value back on null, and the derived one returns', () => {
    const past = ingested({ ...first, breaking: 'major', publishedAt: '2026-02-01' });
    const data = revisedBy({ ...first, breaking: null }, past);
    expect(data.given).toEqual({ breaking: null });
    expect(data.derived.breaking).toBe('unknown');
    expect(data.previousPublishedAt).toBe('2026-02-01T00:00:00.000Z');
  });

  it('is unchanged by what only repeats the derived values that are stored', () => {
    const { results, events } = ingest([{ ...first, prerelease: false, type: 'feature' }], ingested());
    expect(results).toEqual([{ id: idOf('version', '1.2.0'), result: 'unchanged' }]);
    expect(events).toEqual([]);
    expect(revisedBy({ ...first, prerelease: true }).given).toEqual({ prerelease: true });
  });

  it('counts its revisions', () => {
    const stream = streamFor('1.2.0');
    const once = ingest([{ ...first, summary: 'One' }], ingested());
    const past = { [stream]: [...(ingested()[stream] ?? []), ...once.events] };
    expect(revisedBy({ ...first, summary: 'Two' }, past).revision).toBe(3);
  });

  it('stays down once it was suppressed, whatever is sent, until it is brought back', () => {
    const stream = streamFor('1.2.0');
    const down = [...(ingested()[stream] ?? []), suppressed(sourceId, null)];
    const { results, events } = ingest([{ ...first, title: 'Changed' }], { [stream]: down });
    expect(results).toEqual([{ id: idOf('version', '1.2.0'), result: 'withdrawn' }]);
    expect(events).toEqual([]);
    revisedBy({ ...first, title: 'Changed' }, { [stream]: [...down, unsuppressed(sourceId, null)] });
  });

  it('stays withdrawn once it was erased', () => {
    const { results, events } = ingest([first], { [streamFor('1.2.0')]: [releaseErased] });
    expect(results).toEqual([{ id: idOf('version', '1.2.0'), result: 'withdrawn' }]);
    expect(events).toEqual([]);
  });
});

describe('the same release twice in one batch', () => {
  it('is applied in order, in one stream', () => {
    const { results, eventsByStream } = ingest([
      first,
      { ...first, version: 'v1.2.0' },
      { ...first, version: 'v1.2.0' },
    ]);
    expect(results.map(({ result }) => result)).toEqual(['inserted', 'revised', 'unchanged']);
    expect([...eventsByStream.keys()]).toEqual([streamFor('1.2.0')]);
    expect(eventsByStream.get(streamFor('1.2.0'))?.map(({ type }) => type)).toEqual([
      'ReleaseIndexed.v1',
      'ReleaseAnnounced.v1',
      'ReleaseRevised.v1',
    ]);
  });

  it('leaves other releases alone', () => {
    const { results } = ingest([first, { title: 'Other' }, { ...first, summary: 'New' }]);
    expect(results.map(({ result }) => result)).toEqual(['inserted', 'inserted', 'revised']);
  });
});

describe('the source', () => {
  it.each([
    ['does not exist', { ...parentsAfter(), source: { ...facts.source, lifecycle: 'absent' as const } }],
    ['is deleted', parentsAfter({ source: [sourceDeleted] })],
    ['belongs to a deleted org', parentsAfter({ org: [orgDeleted] })],
  ])('%s', (_, parents) => {
    givenBatch(ingestReleases).when(batch(first), { facts: parents }).thenFails('not_found', { entity: 'source' });
  });

  it('names its org and its product as the next facts', () => {
    const parsed = ingestReleases.input.parse(batch(first));
    const streams = (known: Parameters<typeof ingestReleases.facts>[1]) =>
      Object.values(ingestReleases.facts(parsed, known)).map((request) => request.stream.split('-')[0]);
    expect(streams({})).toEqual(['source']);
    expect(streams({ source: parentsAfter().source })).toEqual(['source', 'org']);
    expect(streams(parentsAfter({ product: [] }))).toEqual(['source', 'org', 'product']);
  });
});
