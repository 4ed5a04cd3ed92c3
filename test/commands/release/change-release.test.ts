import { describe, expect, it } from 'vitest';
import { changeRelease } from '../../../commands/release/change-release.ts';
import { storeText } from '../../../src/domain/body/split-body.ts';
import { body } from '../../../src/domain/body/state.ts';
import type { ReleaseEvent, ReleaseRevised } from '../../../src/domain/release/events.ts';
import { given, stateAfter } from '../../spec/given-when-then.ts';
import { indexedRelease, releaseId } from '../../spec/events/indexed-release.ts';
import { orgDeleted, sourceDeleted, sourceHidden } from '../../spec/events/entity-events.ts';
import { orgId, parentsAfter, releaseErased, sourceId, webBaseUrl } from '../../spec/worlds/release-world.ts';

const facts = parentsAfter();
const edit = (changes: object, contentTokens: number | null = null) => ({
  releaseId,
  changes,
  contentTokens,
  webBaseUrl,
});

const revised = (past: ReleaseEvent[], changes: object, tokens?: number): ReleaseRevised['data'] => {
  const events = given(changeRelease, past).when(edit(changes, tokens), { facts, id: releaseId }).events();
  expect(events.map(({ type }) => type)).toEqual(['ReleaseRevised.v1']);
  return (events[0] as ReleaseRevised).data;
};

describe('ChangeRelease', () => {
  it('records the changed values only', () => {
    expect(revised([indexedRelease()], { title: 'Rockets stand', importance: 5 })).toEqual({
      sourceId,
      orgId,
      revision: 2,
      given: { importance: 5 },
      derived: indexedRelease().data.derived,
      pending: false,
      previousPublishedAt: null,
    });
  });

  it('records nothing when nothing differs', () => {
    given(changeRelease, [indexedRelease()])
      .when(edit({ title: 'Rockets stand', url: null }), { facts, id: releaseId })
      .thenNothing();
  });

  it('derives again from the values as they are now', () => {
    const data = revised([indexedRelease({ prerelease: true })], { version: '2.0.0-beta.1', prerelease: null });
    expect(data.given).toEqual({ version: '2.0.0-beta.1', prerelease: null });
    expect(data.derived).toMatchObject({ prerelease: true, importance: 1 });
    expect(revised([indexedRelease()], { version: '2.0.0' }).derived).toMatchObject({ importance: 4 });
  });

  it('counts new content and keeps the count of old content', () => {
    expect(revised([indexedRelease()], { content: 'Other words.' }, 3).derived.contentTokens).toBe(3);
    expect(revised([indexedRelease()], { title: 'Other' }).derived.contentTokens).toBe(6);
    expect(revised([indexedRelease()], { content: '' }).derived).toMatchObject({
      contentTokens: null,
      contentChars: null,
    });
    expect(changeRelease.input.safeParse(edit({ content: 'Uncounted' })).success).toBe(false);
  });

  it('refuses to change nothing, and to take title or content back', () => {
    for (const changes of [{}, { title: null }, { content: null }, { id: releaseId }]) {
      expect(changeRelease.input.safeParse(edit(changes)).success).toBe(false);
    }
  });

  it('finds no release that is absent, erased or below deleted parents', () => {
    const change = edit({ title: 'Other' });
    given(changeRelease).when(change).thenFails('not_found', { entity: 'release' });
    given(changeRelease, [releaseErased]).when(change).thenFails('not_found', { entity: 'release' });
    for (const parents of [parentsAfter({ source: [sourceDeleted] }), parentsAfter({ org: [orgDeleted] })]) {
      given(changeRelease, [indexedRelease()])
        .when(change, { facts: parents })
        .thenFails('not_found', { entity: 'release' });
    }
  });

  it('changes a release below hidden parents', () => {
    given(changeRelease, [indexedRelease()])
      .when(edit({ title: 'Other' }), { facts: parentsAfter({ source: [sourceHidden] }) })
      .thenTypes('ReleaseRevised.v1');
  });
});

describe('ChangeRelease of a date', () => {
  const pending = indexedRelease({ publishedAt: '2026-05-01T00:00:00.000Z' }, { pending: true, announcement: 'due' });

  it('dates and announces a pending release that becomes due', () => {
    given(changeRelease, [pending])
      .when(edit({ publishedAt: '2026-03-01' }), { facts, id: releaseId })
      .thenTypes('ReleaseRevised.v1', 'ReleaseDated.v1', 'ReleaseAnnounced.v1');
  });

  it('waives the announcement below hidden parents', () => {
    given(changeRelease, [pending])
      .when(edit({ publishedAt: '2026-03-01' }), { facts: parentsAfter({ source: [sourceHidden] }) })
      .thenTypes('ReleaseRevised.v1', 'ReleaseDated.v1', 'AnnouncementWaived.v1');
  });

  it('lets a release wait whose new date lies ahead', () => {
    expect(revised([indexedRelease()], { publishedAt: '2026-03-01T12:01:00Z' }).pending).toBe(false);
    expect(revised([indexedRelease()], { publishedAt: '2026-03-01T12:01:00.001Z' }).pending).toBe(true);
  });
});

describe('ChangeRelease of a large text', () => {
  const text = `## Removed\n\n${'"'.repeat(200_000)}`;
  const { stored, body: write } = storeText(releaseId, text);
  const past = [indexedRelease({ content: stored }, { text })];
  const parts = write?.parts ?? [];
  const loaded = stateAfter(
    body,
    parts.map((part, index) => ({ type: 'BodyPartStored.v1', data: { part: index, parts: parts.length, text: part } })),
  );

  const streamsFor = (changes: object): string[] => {
    const state = stateAfter(changeRelease.model, past);
    const asked = changeRelease.facts?.(changeRelease.input.parse(edit(changes, 1)), state, facts) ?? {};
    return Object.values(asked).map((request) => request.stream);
  };

  it('asks for the body only when no new content is sent', () => {
    expect(streamsFor({ title: 'Other' })).toContain(write?.stream);
    expect(streamsFor({ content: 'Small' })).not.toContain(write?.stream);
  });

  it('derives from the text in the body', () => {
    const events = given(changeRelease, past)
      .when(edit({ title: 'Other' }), { facts: { ...facts, body: loaded }, id: releaseId })
      .events();
    expect((events[0] as ReleaseRevised).data.derived).toMatchObject({ breaking: 'minor', contentChars: text.length });
  });

  it('stores a new large text beside the event', () => {
    const context = { now: '2026-03-01T12:00:00.000Z', commandId: 'c', id: releaseId, facts, names: {} };
    const state = stateAfter(changeRelease.model, [indexedRelease()]);
    const decision = changeRelease.decide(changeRelease.input.parse(edit({ content: text }, 9)), state, context);
    expect(decision).toMatchObject({ bodies: [write], events: [{ data: { given: { content: stored } } }] });
  });
});
