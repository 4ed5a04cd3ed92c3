import { expect, it } from 'vitest';
import { collectionsProjection } from '../../projections/collections/collections.ts';
import type { CollectionEvent } from '../../src/domain/collection/events.ts';
import { collectionCreated, collectionDeleted, membersReplaced, tools } from '../spec/events/collection-events.ts';
import { acme, other, widget } from '../spec/events/entity-events.ts';
import { createRecorder } from '../spec/events/record-events.ts';
import { foldProjection } from '../spec/fold-projection.ts';

const later = '2026-03-01T00:00:00.000Z';

/** The first event as it was recorded at the beginning, the others later. */
const after = (first: CollectionEvent, ...events: CollectionEvent[]) => {
  const recorder = createRecorder();
  recorder.record(`collection-${tools}`, [first]);
  recorder.record(`collection-${tools}`, events, { recordedAt: later });
  return foldProjection(collectionsProjection, recorder.all()).get(tools);
};

it('a new collection has no members', () => {
  const created = collectionCreated({ name: 'Tools' });
  expect(after(created)).toEqual({
    id: tools,
    ...created.data,
    nameKey: 'tools',
    earlierSlugs: [],
    members: [],
    updatedAt: created.data.createdAt,
  });
});

it('changes show, with their time', () => {
  const changed: CollectionEvent = { type: 'CollectionChanged.v1', data: { changed: { name: 'Kit', slug: 'kit' } } };
  expect(after(collectionCreated(), changed)).toMatchObject({
    name: 'Kit',
    nameKey: 'kit',
    slug: 'kit',
    earlierSlugs: [{ slug: 'tools', leftAt: 20 }],
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: later,
  });
});

it('members come, go and are replaced', () => {
  const members = [
    { id: acme, position: 1 },
    { id: other, position: null },
  ];
  const added: CollectionEvent = {
    type: 'CollectionMemberAdded.v1',
    data: { member: { id: widget, position: 0 } },
  };
  const removed: CollectionEvent = { type: 'CollectionMemberRemoved.v1', data: { memberId: acme } };
  const shown = after(collectionCreated(), membersReplaced(...members), added, removed);
  expect(shown).toMatchObject({ members: [added.data.member, members[1]], updatedAt: later });
  expect(after(collectionCreated(), membersReplaced(...members), membersReplaced())?.members).toEqual([]);
});

it('nothing is kept of a deleted one', () => {
  expect(after(collectionCreated(), collectionDeleted)).toBeUndefined();
});
