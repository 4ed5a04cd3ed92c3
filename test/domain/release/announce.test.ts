import { describe, expect, it } from 'vitest';
import { announcedRelease, announcement } from '../../../src/domain/release/announce.ts';
import { derivedValues } from '../../../src/domain/release/derived/derive.ts';
import type { ReleaseGiven } from '../../../src/domain/release/events.ts';
import type { ReleaseParents } from '../../../src/domain/release/parents.ts';
import { productDeleted, productHidden } from '../../spec/events/entity-events.ts';
import {
  orgId,
  parentsAfter,
  productId,
  sourceId,
  standaloneSource,
  webBaseUrl,
} from '../../spec/worlds/release-world.ts';

const id = 'rel_RRRRRRRRRRRRRRRRRRRRR';
const now = '2026-03-01T12:00:00.000Z';
const commandId = '11111111-1111-4111-8111-111111111111';
const text = '## Fixes\n\n- Rockets no longer fall over';

const releaseOf = (given: Partial<ReleaseGiven> = {}, of: string | null = orgId) => {
  const whole = { title: 'Rockets stand', content: text, version: '1.2.3', ...given };
  return { sourceId, orgId: of, given: whole, derived: derivedValues(whole, text, 9), fetchedAt: now };
};

const shown = (parents: ReleaseParents, given?: Partial<ReleaseGiven>) =>
  announcedRelease(releaseOf(given), { id, parents, webBaseUrl });

describe('announcedRelease', () => {
  it('shows every field of the payload', () => {
    expect(shown(parentsAfter({ product: [] }), { publishedAt: '2026-02-28T00:00:00.000Z' })).toEqual({
      id,
      title: 'Rockets stand',
      summary: 'Fixes Rockets no longer fall over',
      sourceId,
      sourceName: 'Core',
      sourceSlug: 'core',
      sourceType: 'feed',
      webUrl: `https://registry.example/release/${id}-rockets-stand`,
      fetchedAt: now,
      version: '1.2.3',
      titleGenerated: null,
      titleShort: null,
      publishedAt: '2026-02-28T00:00:00.000Z',
      url: null,
      orgId,
      productId,
      type: 'feature',
      breaking: 'none',
      prerelease: false,
      importance: 2,
      contentChars: text.length,
      contentTokens: 9,
      org: { id: orgId, slug: 'acme', name: 'Acme', avatarUrl: 'https://acme.example/logo.png', githubHandle: null },
      product: { id: productId, slug: 'rocket', name: 'Rocket' },
      media: [],
    });
  });

  it('shows given values over derived ones', () => {
    const media = [{ type: 'gif', url: 'https://acme.example/a.gif' }] as const;
    const given = {
      summary: 'Told',
      breaking: 'major',
      importance: 5,
      type: 'rollup',
      prerelease: true,
      media,
    } as const;
    expect(shown(parentsAfter(), given)).toMatchObject(given);
  });

  it.each([
    ['hidden', parentsAfter({ product: [productHidden] })],
    ['deleted', parentsAfter({ product: [productDeleted] })],
    ['missing', parentsAfter()],
  ])('shows no product that is %s', (_, parents) => {
    expect(shown(parents)).toMatchObject({ product: null, productId: null });
  });

  it('shows no org for a standalone source', () => {
    const release = announcedRelease(releaseOf({}, null), { id, parents: standaloneSource, webBaseUrl });
    expect(release).toMatchObject({ org: null, orgId: null });
  });
});

describe('announcement', () => {
  it('has an id that follows from the command and the release, and the moment in milliseconds', () => {
    const context = { id, parents: parentsAfter(), webBaseUrl, commandId, now };
    const { data } = announcement(releaseOf(), context);
    expect(data.eventId).toMatch(/^evt_[A-Za-z0-9]{21}$/);
    expect(data.tsMs).toBe(Date.parse(now));
    expect(announcement(releaseOf(), context).data.eventId).toBe(data.eventId);
    const otherRelease = announcement(releaseOf(), { ...context, id: 'rel_SSSSSSSSSSSSSSSSSSSSS' });
    const otherCommand = announcement(releaseOf(), { ...context, commandId: '22222222-2222-4222-8222-222222222222' });
    expect(new Set([data, otherRelease.data, otherCommand.data].map(({ eventId }) => eventId)).size).toBe(3);
  });
});
