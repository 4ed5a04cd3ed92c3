import { describe, expect, it } from 'vitest';
import { claimCoverage } from '../../../commands/release/claim-coverage.ts';
import { linkCoverage } from '../../../commands/release/link-coverage.ts';
import { releaseClaims } from '../../../commands/release/release-claims.ts';
import { settleClaims } from '../../../commands/release/settle-claims.ts';
import { unlinkCoverage } from '../../../commands/release/unlink-coverage.ts';
import type { ReleaseEvent } from '../../../src/domain/release/events.ts';
import { type ReleaseState, release } from '../../../src/domain/release/state.ts';
import { indexedRelease } from '../../spec/events/indexed-release.ts';
import { idOf } from '../../spec/events/entity-events.ts';
import { claimed, forfeited, linked, released, unlinked } from '../../spec/events/release-events.ts';
import { givenBatch } from '../../spec/given-batch.ts';
import { given, stateAfter, testNow } from '../../spec/given-when-then.ts';
import { releaseErased, sourceId } from '../../spec/worlds/release-world.ts';

// By their ids: of two that want to cover each other, the lower goes on.
const [low, canonical, high] = [idOf('rel', 'A'), idOf('rel', 'C'), idOf('rel', 'K')];
const indexed = indexedRelease();
const after = (...events: ReleaseEvent[]): ReleaseState => stateAfter(release, [indexed, ...events]);
const link = (canonicalId: string, claim = 1) => linked(sourceId, null, canonicalId, claim);
const unlink = (canonicalId: string, claim = 1) => unlinked(sourceId, null, canonicalId, claim);
const justNow = testNow;
const aMinuteAgo = '2026-03-01T11:59:00.000Z';

describe('ClaimCoverage', () => {
  const claim = (past: ReleaseEvent[], facts: Record<string, ReleaseState>, ...coverageIds: string[]) =>
    given(claimCoverage, past).when({ canonicalId: canonical, coverageIds }, { facts, id: canonical });

  it('numbers its claims, and needs none for what is linked already', () => {
    const facts = { [low]: after(), [high]: after(link(canonical)) };
    claim([indexed, claimed(high, 1)], facts, high, low, low).then([claimed(low, 2, testNow)]);
  });

  it('refuses itself, what is not there, and whatever would be deeper than one or a second link', () => {
    const input = { canonicalId: canonical, coverageIds: [canonical] };
    expect(claimCoverage.input.safeParse(input).error?.issues[0]?.path).toEqual(['coverageIds']);
    claim([], { [low]: after() }, low).thenFails('not_found');
    claim([indexed], { [low]: stateAfter(release, [releaseErased]) }, low).thenFails('not_found');
    const conflict = (past: ReleaseEvent[], facts: Record<string, ReleaseState>) =>
      claim(past, facts, low).thenFails('conflict', { field: 'coverage' });
    conflict([indexed, link(high)], { [low]: after() });
    conflict([indexed], { [low]: after(link(high)) });
    conflict([indexed], { [low]: after(claimed(high)), [high]: after(link(low)) });
    claim([indexed], { [low]: after(claimed(high)), [high]: after(link(low), unlink(low)) }, low).thenTypes(
      'CoverageClaimed.v1',
    );
  });

  it('asks for those that have claimed what it wants to link', () => {
    const asked = claimCoverage.facts?.({ canonicalId: canonical, coverageIds: [low] }, release.initial, {
      [low]: after(claimed(high)),
    });
    expect(Object.keys(asked ?? {})).toEqual([low, high]);
  });

  it('reads the streams of a few claimants, however many there are, when one of them is linked', () => {
    const ids = Array.from({ length: 500 }, (_, index) => idOf('rel', `claimant${index}`));
    const known = (state: ReleaseState, count: number) => ({
      [low]: after(...ids.map((id, index) => claimed(id, index + 1))),
      ...Object.fromEntries(ids.slice(0, count).map((id) => [id, state])),
    });
    const askedWith = (facts: Record<string, ReleaseState>) =>
      Object.keys(claimCoverage.facts?.({ canonicalId: canonical, coverageIds: [low] }, release.initial, facts) ?? {})
        .length - 1;
    expect(askedWith(known(after(), 0))).toBe(25);
    expect(askedWith(known(after(link(low)), 25))).toBe(25);
    expect(askedWith(known(after(), 25))).toBe(50);
    expect(askedWith(known(after(), 500))).toBe(500); // none is linked: then all have to be asked
  });
});

describe('LinkCoverage', () => {
  const linkTo = (id: string, past: ReleaseEvent[], claimants: Record<string, ReleaseState> = {}, claim = 1) =>
    givenBatch(linkCoverage, { [`release-${id}`]: [indexed, ...past] })
      .when(
        { canonicalId: canonical, claims: [{ coverageId: id, claim }], decidedBy: 'human:test' },
        {
          facts: {},
          itemFacts: Object.fromEntries(Object.entries(claimants).map(([each, state]) => [`release-${each}`, state])),
        },
      )
      .decided();
  const outcomeOf = (...args: Parameters<typeof linkTo>) => linkTo(...args).results[0]?.outcome;

  it('makes the link of a claim', () => {
    const { events, results } = linkTo(high, [], {}, 7);
    const { data } = link(canonical, 7);
    expect(events).toEqual([{ type: 'CoverageLinked.v1', data: { ...data, decidedAt: testNow } }]);
    expect(results).toEqual([{ coverageId: high, outcome: 'linked' }]);
  });

  it('links once, to one', () => {
    expect(outcomeOf(high, [link(canonical)])).toBe('known');
    expect(outcomeOf(high, [link(low)])).toBe('linked-elsewhere');
    expect(outcomeOf(high, [releaseErased])).toBe('absent');
  });

  it('makes none of a claim that was given up or has had its link', () => {
    expect(outcomeOf(high, [forfeited(canonical, 3)], {}, 3)).toBe('forfeited');
    expect(outcomeOf(high, [link(canonical, 3), unlink(canonical, 3)], {}, 3)).toBe('forfeited');
    expect(outcomeOf(high, [forfeited(canonical, 3)], {}, 4)).toBe('linked');
  });

  it('goes past no claim that may still become a link', () => {
    expect(outcomeOf(high, [claimed(low)], { [low]: after(link(high)) })).toBe('canonical');
    expect(outcomeOf(high, [claimed(low)], { [low]: after(forfeited(high)) })).toBe('linked');
    expect(outcomeOf(high, [claimed(low)], { [low]: after(link(high), unlink(high)) })).toBe('linked');
    expect(outcomeOf(high, [claimed(low)], { [low]: stateAfter(release, [releaseErased]) })).toBe('linked');
    expect(outcomeOf(high, [claimed(low), released(low)])).toBe('linked');
    const open = linkTo(low, [claimed(high, 2, justNow)], { [high]: after() });
    expect(open.events).toEqual([]);
    expect(open.results).toEqual([{ coverageId: low, outcome: 'claimed', open: [claimed(high, 2, justNow).data] }]);
  });

  it('gives way to one with a lower id, for a minute', () => {
    expect(outcomeOf(high, [claimed(low, 1, justNow)], { [low]: after() })).toBe('canonical');
    expect(outcomeOf(high, [claimed(low, 1, aMinuteAgo)], { [low]: after() })).toBe('claimed');
  });
});

describe('SettleClaims', () => {
  const settle = (past: ReleaseEvent[], isUnlinking: boolean, claim = 2) => {
    const input = { canonicalId: canonical, claims: [{ coverageId: high, claim }], unlink: isUnlinking };
    return givenBatch(settleClaims, { [`release-${high}`]: past })
      .when(input, { facts: {} })
      .decided();
  };

  it('ends what may still become a link, once', () => {
    const { events } = settle([indexed], false);
    expect(events).toEqual([forfeited(canonical, 2)]);
    expect(settle([indexed, ...events], false).events).toEqual([]);
    expect(settle([releaseErased], false).events).toEqual([]);
  });

  it('ends a link only when it is told to', () => {
    expect(settle([indexed, link(canonical)], false).events).toEqual([]);
    const { events, results } = settle([indexed, link(canonical)], true);
    expect(events[0]).toMatchObject({ type: 'CoverageUnlinked.v1', data: { canonicalId: canonical, claim: 2 } });
    expect(results).toEqual([{ unlinked: true }]);
    expect(settle([indexed, link(low)], true).events).toEqual([forfeited(canonical, 2)]);
  });
});

describe('UnlinkCoverage', () => {
  it('ends the link that there is', () => {
    const unlinking = (...past: ReleaseEvent[]) => given(unlinkCoverage, past).when({ releaseId: high });
    const { data } = unlink(canonical, 4);
    unlinking(indexed, link(canonical, 4)).then([
      { type: 'CoverageUnlinked.v1', data: { ...data, unlinkedAt: testNow } },
    ]);
    unlinking(indexed).thenNothing();
    unlinking().thenFails('not_found');
    unlinking(releaseErased).thenFails('not_found');
  });
});

describe('ReleaseClaims', () => {
  it('forgets those claims only that can no longer become a link', () => {
    const facts = { [low]: after(link(canonical)), [high]: after(forfeited(canonical, 2)) };
    given(releaseClaims, [indexed, claimed(low, 1), claimed(high, 2), claimed(high, 3)])
      .when({ canonicalId: canonical, coverageIds: [low, high] }, { facts, id: canonical })
      .then([released(high, 2)]);
  });

  it('leaves the others alone, whose streams it does not read', () => {
    const past = [indexed, claimed(low, 1), claimed(high, 2)];
    const input = { canonicalId: canonical, coverageIds: [high] };
    expect(Object.keys(releaseClaims.facts?.(input, stateAfter(release, past), {}) ?? {})).toEqual([high]);
    given(releaseClaims, past)
      .when(input, { facts: { [high]: after(unlink(canonical, 2)) }, id: canonical })
      .then([released(high, 2)]);
  });
});
