import { derivedValues } from '../../../src/domain/release/derived/derive.ts';
import type { ReleaseGiven, ReleaseIndexed } from '../../../src/domain/release/events.ts';
import { orgId, sourceId } from '../worlds/release-world.ts';

export const releaseId = `rel_${'R'.repeat(21)}`;

/** A release as it was indexed; the text is given apart where a body holds it. */
export const indexedRelease = (
  given: Partial<ReleaseGiven> = {},
  {
    text = 'They no longer fall over.',
    ...others
  }: { text?: string } & Partial<Pick<ReleaseIndexed['data'], 'pending' | 'announcement'>> = {},
): ReleaseIndexed => {
  const whole = { title: 'Rockets stand', content: text, version: '1.2.0', ...given };
  return {
    type: 'ReleaseIndexed.v1',
    data: {
      sourceId,
      orgId,
      identity: { kind: 'version', value: '1.2.0' },
      given: whole,
      derived: derivedValues(whole, text, 6),
      fetchedAt: '2026-02-20T08:00:00.000Z',
      pending: false,
      announcement: 'now',
      ...others,
    },
  };
};
