import { pendingProjection } from '../../../projections/pending/pending.ts';
import { releaseCoverage } from '../../../queries/releases/release-coverage.ts';
import { releaseDetail } from '../../../queries/releases/release-detail.ts';
import { naiveReleaseCoverage, naiveReleaseDetail } from '../naive/naive-answers.ts';
import { publishedMsOf } from '../naive/naive-view.ts';
import { answerOf, asAdmin, type Comparison, publicly, same, sameParts } from './comparison.ts';

export const compareReleases = async (comparison: Comparison): Promise<void> => {
  const { reading, view } = comparison;
  const { registry } = view;
  for (const release of registry.releases) {
    const what = `release ${release.id}`;
    const ask = (asking: typeof publicly) =>
      answerOf(() => releaseDetail(reading, { release: `${release.id}-any-words` }, asking(comparison)));
    const isVisible = view.releases.includes(release);
    same(
      what,
      isVisible ? { answer: naiveReleaseDetail(view, release) } : { refused: 'not_found' },
      await ask(publicly),
    );
    same(
      `coverage of ${what}`,
      isVisible ? { answer: naiveReleaseCoverage(view, release) } : { refused: 'not_found' },
      await answerOf(() => releaseCoverage(reading, { release: release.id }, publicly(comparison))),
    );
    // Nobody sees what is deleted; an admin sees what is hidden, taken down or lies ahead, but a hidden product shows to nobody.
    const source = registry.sources.find(({ id }) => id === release.sourceId)!;
    const org = registry.orgs.find(({ id }) => id === source.orgId);
    const product = registry.products.find(({ id }) => id === source.productId);
    const isThere = !release.erased && !source.deleted && org?.deleted !== true;
    const { id, title, publishedAt, content, revision, sourceIsHidden } = naiveReleaseDetail(view, release);
    const isProductShown = product !== undefined && !product.hidden && !product.deleted;
    const productId = isProductShown ? product.id : null;
    const { suppressed, suppressedReason } = release;
    const standing = { suppressed, suppressedReason };
    const detail = { id, title, publishedAt, content, revision, sourceIsHidden, productId, ...standing };
    const expected = isThere ? { answer: detail } : { refused: 'not_found' };
    sameParts(`${what} for admin`, expected, await ask(asAdmin));
  }
};

/** The releases that the scheduler must still date, earliest first. */
export const comparePending = async ({ reading, view }: Comparison): Promise<void> => {
  const expected = view.registry.releases
    .filter(({ pending }) => pending)
    .map((release) => ({ id: release.id, publishedMs: publishedMsOf(release) }))
    .sort((a, b) => (a.publishedMs ?? 0) - (b.publishedMs ?? 0) || (a.id < b.id ? -1 : 1));
  const rows = await reading.models.of(pendingProjection).query({ index: 'byDue', equals: {}, limit: 1000 });
  sameParts('pending releases', expected, rows);
};
