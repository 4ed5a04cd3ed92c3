import { pendingProjection } from '../../../projections/pending/pending.ts';
import { releaseCoverage } from '../../../queries/releases/release-coverage.ts';
import { releaseDetail } from '../../../queries/releases/release-detail.ts';
import { naiveReleaseCoverage, naiveReleaseDetail } from '../naive/naive-answers.ts';
import { publishedMsOf, showingOrg } from '../naive/naive-view.ts';
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
    const isThere = !release.erased && !source.deleted && org?.deleted !== true;
    const { products } = showingOrg(view, source.orgId);
    const { suppressed, suppressedReason } = release;
    const detail = { ...naiveReleaseDetail({ ...view, products }, release), suppressed, suppressedReason };
    same(`${what} for admin`, isThere ? { answer: detail } : { refused: 'not_found' }, await ask(asAdmin));
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
