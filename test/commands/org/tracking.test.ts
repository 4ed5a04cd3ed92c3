import { describe, expect, test } from 'vitest';
import { abandonPromotion } from '../../../commands/org/abandon-promotion.ts';
import { beginPromotion } from '../../../commands/org/begin-promotion.ts';
import { changeOrg } from '../../../commands/org/change-org.ts';
import { createStub } from '../../../commands/org/create-stub.ts';
import { demoteOrg } from '../../../commands/org/demote-org.ts';
import { promoteOrg } from '../../../commands/org/promote-org.ts';
import { requestTracking } from '../../../commands/org/request-tracking.ts';
import type { OrgCreated, OrgEvent } from '../../../src/domain/org/events.ts';
import { org } from '../../../src/domain/org/state.ts';
import { acme, blog, idOf, orgCreated, orgDeleted } from '../../spec/events/entity-events.ts';
import { given, stateAfter, testMetadata, testNow } from '../../spec/given-when-then.ts';

const location: OrgCreated['data']['locations'][number] = {
  id: idOf('loc', 'L'),
  github: 'acme/rocket',
  title: null,
  canonical: true,
  basis: 'curator',
  productId: null,
  sourceId: null,
};
const stub = orgCreated({ status: 'stub', locations: [location] });
const requested: OrgEvent = { type: 'OrgTrackingRequested.v1', data: { requestedAt: '2026-02-01T00:00:00.000Z' } };
const begun = (begunAt: string): OrgEvent => ({ type: 'OrgPromotionBegun.v1', data: { begunAt } });
const promoted = (sources: Record<string, string> = {}): OrgEvent => ({
  type: 'OrgPromoted.v1',
  data: { promotedAt: testNow, sources },
});
const abandoned: OrgEvent = { type: 'OrgPromotionAbandoned.v1', data: { abandonedAt: testNow } };
const demoted: OrgEvent = { type: 'OrgDemoted.v1', data: { demotedAt: testNow } };

describe('a stub', () => {
  test('keeps a location: without one it could never be promoted', () => {
    given(changeOrg, [stub])
      .when({ orgId: acme, changes: { locations: [] } })
      .thenFails('conflict', { field: 'locations' });
    const [changed] = given(changeOrg, [orgCreated({ locations: [location] })])
      .when({ orgId: acme, changes: { locations: [] } })
      .events();
    expect(changed).toMatchObject({ data: { changed: { locations: [] } } });
  });

  const fields = { name: 'Acme', domain: 'acme.example', locations: [{ github: 'acme/rocket', canonical: true }] };

  test('is an org with a domain and locations', () => {
    const [created] = given(createStub).when(fields, { id: acme }).events();
    expect(created).toMatchObject({
      type: 'OrgCreated.v1',
      data: { status: 'stub', slug: 'acme', domain: 'acme.example', locations: [{ github: 'acme/rocket' }] },
    });
  });

  test('needs a domain and one to 32 locations, none of which is of somebody else', () => {
    const bad = [
      { ...fields, domain: undefined },
      { ...fields, locations: [] },
      { ...fields, locations: Array.from({ length: 33 }, (_, n) => ({ url: `https://acme.example/${n}` })) },
      { ...fields, locations: [{ url: 'https://acme.example', sourceId: blog }] },
    ];
    for (const input of bad) expect(createStub.input.safeParse(input).success).toBe(false);
  });
});

describe('asking for tracking', () => {
  test('is kept as it was asked for first', () => {
    given(requestTracking, [stub])
      .when({ orgId: acme })
      .then([{ type: 'OrgTrackingRequested.v1', data: { requestedAt: testNow } }]);
    given(requestTracking, [stub, requested]).when({ orgId: acme }).thenNothing();
  });

  test('of a tracked org is refused', () => {
    given(requestTracking, [orgCreated()]).when({ orgId: acme }).thenFails('already_tracked');
    given(requestTracking, [stub, orgDeleted]).when({ orgId: acme }).thenFails('not_found');
  });
});

describe('promoting', () => {
  test('is begun by one at a time, for ten minutes', () => {
    given(beginPromotion, [stub])
      .when({ orgId: acme })
      .then([begun(testNow)]);
    const minutesAgo = (minutes: number) => new Date(Date.parse(testNow) - minutes * 60_000).toISOString();
    given(beginPromotion, [stub, begun(minutesAgo(9))])
      .when({ orgId: acme })
      .thenFails('promotion_in_progress');
    given(beginPromotion, [stub, begun(minutesAgo(10))])
      .when({ orgId: acme })
      .thenTypes('OrgPromotionBegun.v1');
    given(beginPromotion, [stub, begun(minutesAgo(1)), abandoned])
      .when({ orgId: acme })
      .thenTypes('OrgPromotionBegun.v1');
    given(beginPromotion, [orgCreated()]).when({ orgId: acme }).thenNothing();
  });

  test('is the same promotion however often it is begun, until it is done', () => {
    const evolve = (state: typeof org.initial, event: OrgEvent, commandId: string) =>
      org.evolve(state, event, { ...testMetadata, commandId });
    const first = evolve(stateAfter(org, [stub]), begun(testNow), 'one');
    const second = evolve(evolve(first, abandoned, 'one'), begun(testNow), 'two');
    expect(second.promotion).toMatchObject({ id: 'one', holder: 'two' });
    expect(evolve(second, promoted(), 'two').promotion).toBeNull();
  });

  test('is given up by its holder only', () => {
    const { commandId } = testMetadata;
    given(abandonPromotion, [stub, begun(testNow)])
      .when({ orgId: acme, holder: commandId })
      .then([abandoned]);
    given(abandonPromotion, [stub, begun(testNow)])
      .when({ orgId: acme, holder: '00000000-0000-4000-8000-000000000009' })
      .thenNothing();
  });

  test('links the sources to their locations and forgets the request', () => {
    given(promoteOrg, [stub, requested])
      .when({ orgId: acme, sources: { [location.id]: blog } })
      .then([promoted({ [location.id]: blog })]);
    const state = stateAfter(org, [stub, requested, promoted({ [location.id]: blog })]);
    expect(state).toMatchObject({ status: 'tracked', trackingRequestedAt: null, locations: [{ sourceId: blog }] });
    given(promoteOrg, [orgCreated()]).when({ orgId: acme, sources: {} }).thenNothing();
  });
});

describe('demoting', () => {
  test('makes a stub whose locations lead to no source', () => {
    const past = [stub, promoted({ [location.id]: blog })];
    given(demoteOrg, past).when({ orgId: acme }).then([demoted]);
    expect(stateAfter(org, [...past, demoted])).toMatchObject({ status: 'stub', locations: [{ sourceId: null }] });
  });

  test('needs a stored location', () => {
    given(demoteOrg, [orgCreated()]).when({ orgId: acme }).thenFails('conflict', { field: 'locations' });
    given(demoteOrg, [stub]).when({ orgId: acme }).thenNothing();
  });
});
