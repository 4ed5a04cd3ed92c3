import type { Decision } from '../../kernel/command.ts';
import { dayMs } from '../../kernel/dates.ts';
import type { ReleaseIdentity } from './identity.ts';
import { storeText } from '../body/split-body.ts';
import { type AnnouncementContext, announcement } from './announce.ts';
import { derivedValues } from './derived/derive.ts';
import { effectiveDate, mergeGiven } from './effective.ts';
import type { AnnouncementPlan, ReleaseEvent, ReleaseGiven } from './events.ts';
import type { ReleaseItem } from './fields.ts';
import { givenChanges } from './given-changes.ts';
import { areParentsVisible, isDue } from './visible.ts';

interface NewRelease {
  readonly sourceId: string;
  readonly sent: ReleaseItem;
  readonly contentTokens: number | null;
  readonly identity: ReleaseIdentity;
  readonly emit: boolean;
  /** When set, only releases dated within the last so many days are news. */
  readonly backfillDays: number | null;
}

/** A date ahead is within any number of last days; no date is within none. */
const isNews = (publishedAt: string | null, backfillDays: number | null, now: string): boolean =>
  backfillDays === null || (publishedAt !== null && Date.parse(publishedAt) >= Date.parse(now) - backfillDays * dayMs);

/** A release that was not known before, with its announcement if it can be seen at once. */
export const indexRelease = (
  { sourceId, sent, contentTokens, identity, emit, backfillDays }: NewRelease,
  context: AnnouncementContext,
): Decision<ReleaseEvent> => {
  const { title, content = '', ...others } = sent;
  const { stored, body } = storeText(context.id, content);
  const named: ReleaseGiven = { title, content: stored };
  const given = mergeGiven(named, givenChanges(named, others));
  const derived = derivedValues(given, content, contentTokens);
  const publishedAt = effectiveDate(given, derived);

  const { parents, now } = context;
  const pending = !isDue(publishedAt, now);
  const mayAnnounce = emit && isNews(publishedAt, backfillDays, now) && (pending || areParentsVisible(parents));
  const plan: AnnouncementPlan = mayAnnounce ? (pending ? 'due' : 'now') : 'none';
  const { orgId } = parents.source;
  const indexed: ReleaseEvent = {
    type: 'ReleaseIndexed.v1',
    data: { sourceId, orgId, identity, given, derived, fetchedAt: now, pending, announcement: plan },
  };
  const announced = plan === 'now' ? [announcement({ sourceId, orgId, given, derived, fetchedAt: now }, context)] : [];
  return { events: [indexed, ...announced], bodies: body === undefined ? [] : [body] };
};
