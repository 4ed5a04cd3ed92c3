import { orgDetailAt } from '../../../queries/past/org-detail-at.ts';
import { orgReleasesAt } from '../../../queries/past/org-releases-at.ts';
import { releaseDetailAt } from '../../../queries/past/release-detail-at.ts';
import { naiveReleaseDetail } from '../naive/naive-answers.ts';
import { naiveFeed } from '../naive/naive-feed.ts';
import { naiveOrgDetail } from '../naive/naive-org-parts.ts';
import { naivePast } from '../naive/naive-past.ts';
import { type NaiveView, sourcesOfOrg, sourcesOfProduct } from '../naive/naive-view.ts';
import { answerOf, type Comparison, publicly, randomWindow, same, sameFeed } from './comparison.ts';

/** Moments of a history that one comparison asks about. */
const momentsMax = 3;
const dayMs = 86_400_000;

/** Around events, so that both sides of each are met. */
const momentOf = ({ log, random, view }: Comparison): number => {
  const { recordedAt } = random.pick(log).metadata;
  return Math.min(view.nowMs, Date.parse(recordedAt) + random.pick([-1, 0, 1, dayMs]));
};

const compareOrgsAt = async (comparison: Comparison, past: NaiveView): Promise<void> => {
  const { reading, view } = comparison;
  const atMs = past.nowMs;
  for (const { id } of view.registry.orgs) {
    const org = past.orgs.find((row) => row.id === id);
    same(
      `org ${id} as of ${atMs}`,
      org === undefined ? { refused: 'not_found' } : { answer: naiveOrgDetail(past, org) },
      await answerOf(() => orgDetailAt(reading, { org: id, atMs }, publicly(comparison))),
    );
  }
};

const compareOrgFeedsAt = async (comparison: Comparison, past: NaiveView): Promise<void> => {
  const { reading, random } = comparison;
  const atMs = past.nowMs;
  for (const org of past.orgs) {
    const product = random.pick([null, ...past.products.filter(({ orgId }) => orgId === org.id)]);
    const input = {
      org: org.id,
      atMs,
      sourceType: null,
      kind: null,
      product: product?.id ?? null,
      includePrereleases: random.chance(70),
      includeCoverage: random.chance(50),
      ...(random.chance(50) ? { sinceMs: null, untilMs: null } : randomWindow(comparison)),
    };
    const sources = product === null ? sourcesOfOrg(past, org.id) : sourcesOfProduct(past, product.id);
    const expected = naiveFeed(past, sources, input);
    await sameFeed(`feed of org ${org.id} as of ${atMs}`, { ...comparison, view: past }, expected, (paging) =>
      orgReleasesAt(reading, { ...input, ...paging }, publicly(comparison)),
    );
  }
};

const compareReleasesAt = async (comparison: Comparison, past: NaiveView): Promise<void> => {
  const { reading, view } = comparison;
  const atMs = past.nowMs;
  for (const { id } of view.registry.releases) {
    const release = past.releases.find((row) => row.id === id);
    same(
      `release ${id} as of ${atMs}`,
      release === undefined ? { refused: 'not_found' } : { answer: naiveReleaseDetail(past, release) },
      await answerOf(() => releaseDetailAt(reading, { release: id, atMs }, publicly(comparison))),
    );
  }
};

/** What was recorded at some moments, against a fold of the whole log up to each of them. */
export const comparePast = async (comparison: Comparison): Promise<void> => {
  const { log, view } = comparison;
  for (let moments = 0; moments < momentsMax && log.length > 0; moments += 1) {
    const past = naivePast(log, momentOf(comparison), view);
    await compareOrgsAt(comparison, past);
    await compareOrgFeedsAt(comparison, past);
    await compareReleasesAt(comparison, past);
  }
};
