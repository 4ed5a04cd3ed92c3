import { z } from 'zod';
import { isBodyRef } from '../../src/domain/body/body-ref.ts';
import { bodyStream } from '../../src/domain/body/split-body.ts';
import { type BodyState, body, textOf } from '../../src/domain/body/state.ts';
import type { ReleaseEvent } from '../../src/domain/release/events.ts';
import { contentTokens, isCounted, releaseChanges, webBaseUrl } from '../../src/domain/release/fields.ts';
import { parentFacts, type ReleaseParents } from '../../src/domain/release/parents.ts';
import { reviseRelease } from '../../src/domain/release/revise.ts';
import { type ReleaseState, release } from '../../src/domain/release/state.ts';
import { areParentsLive } from '../../src/domain/release/visible.ts';
import { defineCommand, fact } from '../../src/kernel/command.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { releaseId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const input = z
  .object({ releaseId, changes: releaseChanges, contentTokens, webBaseUrl })
  .refine(({ changes, contentTokens }) => isCounted(changes, contentTokens), {
    error: 'content needs its count',
    path: ['contentTokens'],
  });

export type ChangeReleaseInput = z.output<typeof input>;

type ReleaseFacts = ReleaseParents & { readonly body?: BodyState };

/** An edit by hand. The release keeps its id, whatever becomes of the fields that gave it. */
export const changeRelease = defineCommand<ChangeReleaseInput, ReleaseState, ReleaseEvent, ReleaseFacts>({
  name: 'ChangeRelease',
  input,
  stream: ({ releaseId }) => streamOf('release', releaseId),
  model: release,
  facts: ({ releaseId, changes }, state, known) => {
    if (state.status !== 'indexed') return {};
    const { content } = state.given;
    return {
      ...parentFacts(state.sourceId, known),
      ...(isBodyRef(content) &&
        changes.content === undefined && { body: fact(bodyStream(releaseId, content.sha256), body) }),
    };
  },
  decide: ({ changes, contentTokens, webBaseUrl }, state, { id, facts, now, commandId }) => {
    if (state.status !== 'indexed' || !areParentsLive(facts)) throw notFound('release', id);
    const storedText = () => textOf(state.given.content, facts.body);
    return reviseRelease(
      state,
      { sent: changes, contentTokens, storedText, isEdit: true },
      { id, parents: facts, webBaseUrl, commandId, now },
    );
  },
});
