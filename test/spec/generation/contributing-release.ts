import type { ContributingRelease } from '../../../src/generation/content-provider.ts';

/** The nth release of a source, the first being the newest. */
export const contributingRelease = (
  text: string,
  changes: Partial<ContributingRelease> = {},
  nth = 0,
): ContributingRelease => {
  const id = `rel_${String(nth).padStart(21, '0')}`;
  return {
    id,
    sourceId: 'src_000000000000000000001',
    sourceName: 'Rocket',
    headline: `Rocket 1.${nth}.1`,
    title: `Rocket 1.${nth}.1`,
    version: `1.${nth}.1`,
    url: `https://example.com/rocket/${nth}`,
    webUrl: `https://registry.example/release/${id}`,
    publishedAt: new Date(Date.UTC(2030, 0, 20) - nth * 86_400_000).toISOString(),
    fetchedAt: '2030-01-21T00:00:00.000Z',
    breaking: 'unknown',
    importance: 2,
    text,
    ...changes,
  };
};
