import { describe, expect, it } from 'vitest';
import { matchesWebhook, type OrgWebhook } from '../../src/delivery/match.ts';
import type { AnnouncedRelease } from '../../src/domain/release/events.ts';

const webhook: OrgWebhook = {
  id: 'whk_WWWWWWWWWWWWWWWWWWWWW',
  orgId: 'org_A',
  sourceId: null,
  productId: null,
  releaseType: null,
  minImportance: null,
  breaking: null,
  enabled: true,
};

const release: AnnouncedRelease = {
  id: 'rel_R',
  title: 'A title',
  summary: '',
  sourceId: 'src_S',
  sourceName: 'S',
  sourceSlug: 's',
  sourceType: 'github',
  webUrl: 'https://registry.example/release/rel_R',
  fetchedAt: '2026-01-01T00:00:00.000Z',
  version: null,
  titleGenerated: null,
  titleShort: null,
  publishedAt: null,
  url: null,
  orgId: 'org_A',
  productId: 'prod_P',
  type: 'feature',
  breaking: 'minor',
  prerelease: true,
  importance: 3,
  contentChars: null,
  contentTokens: null,
  org: null,
  product: null,
  media: [],
};

const matches = (filters: Partial<OrgWebhook>, values: Partial<AnnouncedRelease> = {}): boolean =>
  matchesWebhook({ ...release, ...values }, { ...webhook, ...filters });

describe('a webhook to an org', () => {
  it('gets every release of the org, prereleases too, when it has no filter', () => {
    expect(matches({})).toBe(true);
  });

  it('gets nothing of another org or of a standalone source', () => {
    expect(matches({ orgId: 'org_B' })).toBe(false);
    expect(matches({}, { orgId: null })).toBe(false);
  });

  it('gets nothing while it is disabled', () => {
    expect(matches({ enabled: false })).toBe(false);
  });

  it.each<[Partial<OrgWebhook>, Partial<AnnouncedRelease>, boolean]>([
    [{ sourceId: 'src_S' }, {}, true],
    [{ sourceId: 'src_T' }, {}, false],
    [{ productId: 'prod_P' }, {}, true],
    [{ productId: 'prod_Q' }, {}, false],
    [{ productId: 'prod_P' }, { productId: null }, false],
    [{ releaseType: 'feature' }, {}, true],
    [{ releaseType: 'rollup' }, {}, false],
    [{ minImportance: 2 }, {}, true],
    [{ minImportance: 3 }, {}, true],
    [{ minImportance: 4 }, {}, false],
    [{ minImportance: 1 }, { importance: null }, false],
    [{ breaking: ['minor', 'major'] }, {}, true],
    [{ breaking: ['major'] }, {}, false],
    [{ breaking: ['major'] }, { breaking: 'unknown' }, false],
    [{ breaking: [] }, {}, false],
  ])('with %o and a release with %o: %s', (filters, values, isMatch) => {
    expect(matches(filters, values)).toBe(isMatch);
  });

  it('needs every filter that is set to pass', () => {
    const all = { sourceId: 'src_S', productId: 'prod_P', releaseType: 'feature', minImportance: 3 } as const;
    expect(matches({ ...all, breaking: ['minor'] })).toBe(true);
    expect(matches({ ...all, breaking: ['none'] })).toBe(false);
  });
});
