import { expect, it } from 'vitest';
import type { DomainEvent } from '../../../src/kernel/event.ts';
import { newEvents } from '../../../src/runtime/commands/new-events.ts';
import { requestOf } from '../../spec/worlds/embedded-registry.ts';

const happened: readonly DomainEvent[] = ['First.v1', 'Second.v1'].map((type) => ({ type, data: {} }));
const idsOf = (command: number, stream: string, expectedVersion: number, recordedAt = '2026-01-01T00:00:00.000Z') =>
  newEvents(happened, { stream, expectedVersion }, requestOf(command), recordedAt).map(({ id }) => id);

it('gives the events of one command the same ids whenever they are made, so that an append can be sent again', () => {
  const first = idsOf(1, 'org-a', 0);
  expect(idsOf(1, 'org-a', 0, '2026-01-02T00:00:00.000Z')).toEqual(first);
  expect(new Set(first).size).toBe(2);
});

it('gives no event the id of another', () => {
  const ids = [idsOf(1, 'org-a', 0), idsOf(2, 'org-a', 0), idsOf(1, 'org-b', 0), idsOf(1, 'org-a', 2)].flat();
  expect(new Set(ids).size).toBe(ids.length);
});
