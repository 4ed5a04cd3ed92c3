import { describe, expect, test } from 'vitest';
import { writeOverview } from '../../../commands/overview/write-overview.ts';
import type { OverviewWritten } from '../../../src/domain/overview/events.ts';
import type { OverviewOwner } from '../../../src/domain/overview/owner.ts';
import { org } from '../../../src/domain/org/state.ts';
import { acme, orgCreated, orgDeleted, productAfter, productCreated, widget } from '../../spec/events/entity-events.ts';
import { given, stateAfter, testNow } from '../../spec/given-when-then.ts';

const facts: OverviewOwner = { org: stateAfter(org, [orgCreated()]) };
const written = (fields: Partial<OverviewWritten['data']> = {}): OverviewWritten => ({
  type: 'OverviewWritten.v1',
  data: {
    content: 'Rockets.',
    releaseCount: 2,
    lastContributingReleaseAt: null,
    generatedAt: testNow,
    citations: [],
    updatedAt: testNow,
    ...fields,
  },
});
const write = (fields: object = {}) => ({ ownerId: acme, fields: { content: 'Rockets.', releaseCount: 2, ...fields } });

describe('writing an overview', () => {
  test('of an org or of a product', () => {
    given(writeOverview).when(write(), { facts }).then([written()]);
    given(writeOverview)
      .when({ ...write(), ownerId: widget }, { facts: { ...facts, product: productAfter(productCreated()) } })
      .then([written()]);
  });

  test('keeps what its writer was shown', () => {
    const shownReleaseIds = [`rel_${'A'.repeat(21)}`];
    given(writeOverview)
      .when({ ...write(), shownReleaseIds }, { facts })
      .then([written({ shownReleaseIds })]);
  });

  test('the same again is nothing new unless it says when it was made', () => {
    const past = [written({ generatedAt: '2026-01-01T00:00:00.000Z' })];
    given(writeOverview, past).when(write(), { facts }).thenNothing();
    given(writeOverview, past)
      .when(write({ generatedAt: '2026-01-01' }), { facts })
      .thenNothing();
    given(writeOverview, past)
      .when(write({ generatedAt: '2026-01-02' }), { facts })
      .then([written({ generatedAt: '2026-01-02T00:00:00.000Z' })]);
    given(writeOverview, past)
      .when(write({ releaseCount: 3 }), { facts })
      .then([written({ releaseCount: 3 })]);
  });

  test('needs an owner that is there', () => {
    given(writeOverview)
      .when(write(), { facts: { org: stateAfter(org, [orgCreated(), orgDeleted]) } })
      .thenFails('not_found', { entity: 'org' });
    given(writeOverview)
      .when(
        { ...write(), ownerId: widget },
        { facts: { org: stateAfter(org, [orgCreated(), orgDeleted]), product: productAfter(productCreated()) } },
      )
      .thenFails('not_found');
    given(writeOverview)
      .when({ ...write(), ownerId: widget }, { facts })
      .thenFails('not_found', { entity: 'product' });
  });

  test('cites within its own text only', () => {
    const cite = (startIndex: number, endIndex: number) =>
      writeOverview.input.safeParse(write({ citations: [{ sourceUrl: 'https://acme.example', startIndex, endIndex }] }))
        .success;
    expect([cite(0, 8), cite(8, 8), cite(0, 9), cite(5, 4), cite(-1, 4)]).toEqual([true, true, false, false, false]);
  });
});
