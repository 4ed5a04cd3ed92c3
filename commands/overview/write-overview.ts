import { z } from 'zod';
import { changedFields } from '../../src/domain/changed-fields.ts';
import type { OverviewFields, OverviewWritten } from '../../src/domain/overview/events.ts';
import { overviewFields } from '../../src/domain/overview/fields.ts';
import { type OverviewOwner, overviewOwner, requireLiveOwner } from '../../src/domain/overview/owner.ts';
import { overview } from '../../src/domain/overview/state.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { orgId, productId, releaseId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** More than anybody is shown at once, and little beside a text. */
const shownMax = 200;

/** Replaces what was written before. The same text again, with no word of when it was made, is nothing new. */
export const writeOverview = defineCommand({
  name: 'WriteOverview',
  input: z.strictObject({
    ownerId: z.union([orgId, productId]),
    fields: overviewFields,
    /** What it may tell of beside what it cites. */
    shownReleaseIds: z.array(releaseId).max(shownMax).exactOptional(),
  }),
  stream: ({ ownerId }) => streamOf('overview', ownerId),
  model: overview,
  facts: ({ ownerId }, _, known: Partial<OverviewOwner>) => overviewOwner(ownerId, known),
  decide: (
    { ownerId, fields, shownReleaseIds },
    state,
    { facts, now }: DecisionContext<OverviewOwner>,
  ): OverviewWritten[] => {
    requireLiveOwner(ownerId, facts);
    const wanted: OverviewFields = {
      lastContributingReleaseAt: null,
      citations: [],
      generatedAt: now,
      ...fields,
    };
    const { generatedAt: _, ...said } = wanted;
    const isNew =
      state === null || changedFields<OverviewFields>(state, fields.generatedAt === undefined ? said : wanted);
    const shown = shownReleaseIds === undefined ? {} : { shownReleaseIds };
    return isNew ? [{ type: 'OverviewWritten.v1', data: { ...wanted, updatedAt: now, ...shown } }] : [];
  },
});
