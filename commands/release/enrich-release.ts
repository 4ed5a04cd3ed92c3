import { z } from 'zod';
import { isBodyRef } from '../../src/domain/body/body-ref.ts';
import { bodyStream } from '../../src/domain/body/split-body.ts';
import { type BodyState, body, textOf } from '../../src/domain/body/state.ts';
import { isEnrichable, enrichedFields } from '../../src/domain/release/enriched.ts';
import type { ReleaseEvent } from '../../src/domain/release/events.ts';
import { releaseItem, webBaseUrl } from '../../src/domain/release/fields.ts';
import { parentFacts, type ReleaseParents } from '../../src/domain/release/parents.ts';
import { reviseRelease } from '../../src/domain/release/revise.ts';
import { type ReleaseState, release } from '../../src/domain/release/state.ts';
import { areParentsLive } from '../../src/domain/release/visible.ts';
import { defineCommand, fact } from '../../src/kernel/command.ts';
import { releaseId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const { titleGenerated, titleShort, composition } = releaseItem.shape;

const input = z.strictObject({
  releaseId,
  /** Of the text that was read; another one by now is due again by itself. */
  contentHash: z.string().nullable(),
  values: z.strictObject({ titleGenerated, titleShort, composition }),
  webBaseUrl,
});

type EnrichReleaseInput = z.output<typeof input>;

type ReleaseFacts = ReleaseParents & { readonly body?: BodyState };

/** Fills in what nobody has given. What is gone, taken down, or has another text by now is left alone. */
export const enrichRelease = defineCommand<EnrichReleaseInput, ReleaseState, ReleaseEvent, ReleaseFacts>({
  name: 'EnrichRelease',
  input,
  stream: ({ releaseId }) => streamOf('release', releaseId),
  model: release,
  facts: ({ releaseId }, state, known) => {
    if (state.status !== 'indexed') return {};
    const { content } = state.given;
    return {
      ...parentFacts(state.sourceId, known),
      ...(isBodyRef(content) && { body: fact(bodyStream(releaseId, content.sha256), body) }),
    };
  },
  decide: ({ contentHash, values, webBaseUrl }, state, { id, facts, now, commandId }) => {
    if (state.status !== 'indexed' || state.suppression !== null || !areParentsLive(facts)) return [];
    if (state.derived.contentHash !== contentHash) return [];
    const free = enrichedFields.filter((field) => values[field] != null && isEnrichable(state, field));
    return reviseRelease(
      state,
      {
        sent: Object.fromEntries(free.map((field) => [field, values[field]])),
        contentTokens: null,
        storedText: () => textOf(state.given.content, facts.body),
        isEdit: true,
      },
      { id, parents: facts, webBaseUrl, commandId, now },
    );
  },
});
