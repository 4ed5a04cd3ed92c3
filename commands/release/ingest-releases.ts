import { z } from 'zod';
import { isBodyRef } from '../../src/domain/body/body-ref.ts';
import { bodyStream } from '../../src/domain/body/split-body.ts';
import { type BodyState, body, textOf } from '../../src/domain/body/state.ts';
import type { ReleaseEvent } from '../../src/domain/release/events.ts';
import {
  contentTokens,
  isCounted,
  type ReleaseItem,
  releaseItem,
  webBaseUrl,
} from '../../src/domain/release/fields.ts';
import { editsConfirmedBy, withoutEdited } from '../../src/domain/release/edits.ts';
import { indexRelease } from '../../src/domain/release/index-release.ts';
import { parentFacts, type ReleaseParents } from '../../src/domain/release/parents.ts';
import { reviseRelease } from '../../src/domain/release/revise.ts';
import { type ReleaseState, release } from '../../src/domain/release/state.ts';
import { defineBatchCommand, fact } from '../../src/kernel/command.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { sourceId } from '../../src/kernel/ids.ts';
import { type ReleaseIdentity, releaseIdentity, releaseIdOf } from '../../src/domain/release/identity.ts';
import { titleDate } from '../../src/domain/release/derived/dates-in-text.ts';
import { areParentsLive } from '../../src/domain/release/visible.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const countedItem = releaseItem
  .extend({ contentTokens })
  .refine((item) => isCounted(item, item.contentTokens), { error: 'content needs its count', path: ['contentTokens'] });

const input = z.object({
  sourceId,
  items: z.array(countedItem).min(1).max(500),
  emit: z.boolean().default(true),
  /** When set, only releases dated within the last so many days are announced. */
  backfillDays: z.int().min(0).nullable().default(null),
  /** What somebody edited stays until its source tells something new about it. */
  keepsEdits: z.boolean().default(false),
  webBaseUrl,
});

export type IngestReleasesInput = z.output<typeof input>;

/** One item with what the whole batch says about it. */
interface IngestedRelease {
  readonly sent: ReleaseItem;
  readonly contentTokens: number | null;
  readonly identity: ReleaseIdentity;
  /** The text that an earlier item of this batch sent for the same release, which is in no store yet. */
  readonly earlierText: string | undefined;
  readonly batch: Omit<IngestReleasesInput, 'items'>;
}

export interface IngestResult {
  readonly id: string;
  readonly result: 'inserted' | 'revised' | 'unchanged' | 'withdrawn';
}

const identityOf = (item: ReleaseItem, sourceUrl: string): ReleaseIdentity =>
  releaseIdentity(
    {
      title: item.title,
      url: item.url ?? null,
      version: item.version ?? null,
      publishedAt: item.publishedAt ?? titleDate(item.title).at,
    },
    sourceUrl,
  );

export const ingestReleases = defineBatchCommand<
  IngestReleasesInput,
  IngestedRelease,
  ReleaseState,
  ReleaseEvent,
  ReleaseParents,
  { body: BodyState },
  IngestResult
>({
  name: 'IngestReleases',
  input,
  facts: ({ sourceId }, known) => parentFacts(sourceId, known),
  items: ({ items, ...batch }, parents) => {
    if (!areParentsLive(parents)) throw notFound('source', batch.sourceId);
    const texts = new Map<string, string>();
    return items.map(({ contentTokens, ...sent }) => {
      const identity = identityOf(sent, parents.source.url);
      const stream = streamOf('release', releaseIdOf(batch.sourceId, identity));
      const earlierText = texts.get(stream);
      if (sent.content !== undefined) texts.set(stream, sent.content);
      return { stream, item: { sent, contentTokens, identity, earlierText, batch } };
    });
  },
  model: release,
  itemFacts: ({ sent, batch, identity, earlierText }, state) => {
    if (state.status !== 'indexed' || sent.content !== undefined || earlierText !== undefined) return {};
    const { content } = state.given;
    if (!isBodyRef(content)) return {};
    return { body: fact(bodyStream(releaseIdOf(batch.sourceId, identity), content.sha256), body) };
  },
  decide: (item, state, { id, facts, now, commandId }) => {
    const { sent, contentTokens, identity, earlierText, batch } = item;
    const context = { id, parents: facts, webBaseUrl: batch.webBaseUrl, commandId, now };
    const isSuppressed = state.status === 'indexed' && state.suppression !== null;
    if (state.status === 'erased' || isSuppressed) return { events: [], result: { id, result: 'withdrawn' } };
    if (state.status === 'absent') {
      const indexed = indexRelease({ sent, contentTokens, identity, ...batch }, context);
      return { ...indexed, result: { id, result: 'inserted' } };
    }
    const storedText = () => earlierText ?? textOf(state.given.content, facts.body);
    const told = batch.keepsEdits ? withoutEdited(sent, state.edits, id) : sent;
    const revised = reviseRelease(state, { sent: told, contentTokens, storedText, isEdit: false }, context);
    const confirmed = batch.keepsEdits ? editsConfirmedBy(told, state.edits, revised.events) : [];
    return {
      ...revised,
      events: [...revised.events, ...confirmed],
      result: { id, result: revised.events.length === 0 ? 'unchanged' : 'revised' },
    };
  },
});
