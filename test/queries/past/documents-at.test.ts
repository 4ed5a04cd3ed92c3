import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orgProjection } from '../../../projections/org/org.ts';
import { playbooksProjection } from '../../../projections/playbooks/playbooks.ts';
import { documentsAt, replacedDocumentAt } from '../../../queries/past/documents-at.ts';
import { toTimestamp } from '../../../src/kernel/dates.ts';
import type { DomainEvent } from '../../../src/kernel/event.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { acme, idOf, orgCreated } from '../../spec/events/entity-events.ts';
import { newEvent } from '../../spec/events/events.ts';
import { openInThreadEventStore } from '../../spec/in-thread-event-store.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';

let folder: TempFolder;
let store: EventStore;

const startMs = Date.UTC(2026, 0, 1);
const renamed = (name: string): DomainEvent => ({ type: 'OrgChanged.v1', data: { changed: { name } } });
const written = (content: string): DomainEvent => ({
  type: 'PlaybookWritten.v1',
  data: { content, updatedAt: toTimestamp(startMs) },
});
/** More than are read at once, from the front and from the back. */
const changes = 50;

const appendTimed = (stream: string, events: readonly DomainEvent[]) =>
  store.append({
    stream,
    expectedVersion: 0,
    events: events.map(({ type, data }, index) => {
      const made = newEvent(type, data);
      return { ...made, metadata: { ...made.metadata, recordedAt: toTimestamp(startMs + index) } };
    }),
  });

const numbers = Array.from({ length: changes }, (_, index) => index + 1);

beforeAll(async () => {
  folder = createTempFolder();
  store = openInThreadEventStore(folder.path);
  await appendTimed(`org-${acme}`, [orgCreated({ name: 'Name 0' }), ...numbers.map((at) => renamed(`Name ${at}`))]);
  const notes = numbers.map((at) => written(`Notes ${at}`));
  await appendTimed(`playbook-${acme}`, [written('Notes 0'), ...notes, { type: 'PlaybookRemoved.v1', data: {} }]);
});
afterAll(async () => {
  await store.close();
  folder.remove();
});

describe('documents of a moment', () => {
  const nameAt = async (atMs: number) => {
    const model = { projection: orgProjection, category: 'org' as const };
    return (await documentsAt({ streams: store }, model, [idOf('org', 'Z'), acme], atMs)).get(acme)?.name;
  };

  it('are made of what was recorded until then, that millisecond included', async () => {
    expect(await nameAt(startMs - 1)).toBeUndefined();
    for (const at of [0, 1, 2, 3, 4, 5, 19, 20, 21, 49, 50]) expect(await nameAt(startMs + at)).toBe(`Name ${at}`);
    expect(await nameAt(startMs + 1_000_000)).toBe(`Name ${changes}`);
  });

  it('are found from the end where each event replaces those before it', async () => {
    const model = { projection: playbooksProjection, category: 'playbook' as const };
    const notesAt = async (atMs: number, id = acme) =>
      (await replacedDocumentAt({ streams: store }, model, id, atMs))?.content;
    expect(await notesAt(startMs - 1)).toBeUndefined();
    for (const at of [0, 1, 25, 46, 47, 48, 49, 50]) expect(await notesAt(startMs + at)).toBe(`Notes ${at}`);
    expect(await notesAt(startMs + changes + 1)).toBeUndefined(); // removed
    expect(await notesAt(startMs, idOf('org', 'Z'))).toBeUndefined();
  });
});
