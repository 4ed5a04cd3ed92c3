import { activityOf } from '../../src/catalogue/instants/activity.ts';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { instantsOfSources } from '../../src/catalogue/entity-numbers.ts';
import { resolveOrg } from '../../src/catalogue/resolve.ts';
import { sightOn, visibleSourcesOf } from '../../src/catalogue/visibility.ts';
import { byName } from '../../src/domain/name-key.ts';
import {
  type ActivityDays,
  aggregateWeekly,
  effectiveDays,
  perWeek,
  rangeOf,
  shownRange,
  weeklyBuckets,
} from '../shape/activity.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { timestampOrNull } from '../shape/timestamps.ts';

export const orgActivityReads = catalogueReads;

/** The releases of an org by week, and those of each of its sources (contract 3.4). */
export const orgActivity = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  { org: identifier, ...asked }: ActivityDays & { readonly org: string },
  { nowMs, admin }: Asking,
) => {
  const org = resolveOrg(catalogue, identifier, admin);
  const sources = visibleSourcesOf(catalogue, org.id, sightOn(admin, org.id)).sort(byName);
  const days = effectiveDays(instantsOfSources(catalogue, sources), asked, nowMs);
  const range = rangeOf(days, nowMs);
  const activities = sources.map(({ id }) => activityOf(catalogue.instantsOf(id), range));
  return {
    org: { slug: org.slug, name: org.name },
    range: shownRange(days),
    sources: sources.map(({ slug, name }, index) => {
      const activity = activities[index]!;
      return {
        slug,
        name,
        releaseCount: activity.count,
        avgReleasesPerWeek: perWeek(activity.count, days),
        earliestVersion: activity.earliestVersion,
        latestVersion: activity.latestVersion,
        latestDate: timestampOrNull(activity.latestMs),
        weeklyBuckets: weeklyBuckets(activity),
      };
    }),
    aggregateWeekly: aggregateWeekly(activities),
  };
};
