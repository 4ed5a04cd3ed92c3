import type { Decision } from '../../kernel/command.ts';
import { storeText } from '../body/split-body.ts';
import { type AnnouncementContext, datedEvents } from './announce.ts';
import { derivedValues } from './derived/derive.ts';
import { effectiveDate, mergeGiven } from './effective.ts';
import type { ReleaseEvent } from './events.ts';
import type { SentFields } from './fields.ts';
import { givenChanges } from './given-changes.ts';
import type { IndexedRelease } from './state.ts';
import { isDue } from './visible.ts';

interface Revision {
  readonly sent: SentFields;
  /** Of the sent content. */
  readonly contentTokens: number | null;
  /** The stored text, asked for only when no content is sent. */
  readonly storedText: () => string;
  /** Somebody edits: what is sent becomes a given value, also when it is what was derived so far. */
  readonly isEdit: boolean;
}

/** A known release with what was sent about it; no events when nothing of that differs. */
export const reviseRelease = (
  state: IndexedRelease,
  { sent, contentTokens, storedText, isEdit }: Revision,
  context: AnnouncementContext,
): Decision<ReleaseEvent> => {
  const { content, ...others } = sent;
  const text = content === undefined ? undefined : storeText(context.id, content);
  const storable = { ...others, content: text?.stored };
  const changes = givenChanges(state.given, storable, isEdit ? {} : state.derived);
  if (Object.keys(changes).length === 0) return { events: [] };

  const given = mergeGiven(state.given, changes);
  const tokens = 'content' in changes ? contentTokens : state.derived.contentTokens;
  const derived = derivedValues(given, content ?? storedText(), tokens);
  const hasCome = isDue(effectiveDate(given, derived), context.now);
  const revised: ReleaseEvent = {
    type: 'ReleaseRevised.v1',
    data: {
      sourceId: state.sourceId,
      orgId: state.orgId,
      revision: state.revision + 1,
      given: changes,
      derived,
      pending: state.pending || !hasCome, // only ReleaseDated.v1 ends the waiting
      previousPublishedAt: effectiveDate(state.given, state.derived),
    },
  };
  const dated = state.pending && hasCome ? datedEvents({ ...state, given, derived }, context) : [];
  const body = 'content' in changes ? text?.body : undefined;
  return { events: [revised, ...dated], bodies: body === undefined ? [] : [body] };
};
