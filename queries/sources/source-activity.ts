import type { SourceDocument } from '../../projections/source/source.ts';
import { activityOf } from '../../src/catalogue/instants/activity.ts';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { type ActivityDays, effectiveDays, perWeek, rangeOf, shownRange, weeklyBuckets } from '../shape/activity.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { sourceHead } from '../shape/source/source-head.ts';

export const sourceActivityReads = catalogueReads;

/** The releases of a source by week (contract 5.3). */
export const sourceActivity = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  { source, ...asked }: ActivityDays & { readonly source: SourceDocument },
  { nowMs }: Pick<Asking, 'nowMs'>,
) => {
  const instants = catalogue.instantsOf(source.id);
  const days = effectiveDays([instants], asked, nowMs);
  const activity = activityOf(instants, rangeOf(days, nowMs));
  return {
    source: sourceHead(catalogue, source),
    range: shownRange(days),
    releaseCount: activity.count,
    avgReleasesPerWeek: perWeek(activity.count, days),
    weeklyBuckets: weeklyBuckets(activity),
  };
};
