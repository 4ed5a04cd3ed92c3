import { bodyOwner, textsStream } from '../../domain/body/split-body.ts';
import type { BodyPartStored, TextBegun } from '../../domain/body/events.ts';
import type { BodyWrite, CommandRequest } from '../../kernel/command.ts';
import type { EventStore } from '../../ports/event-store.ts';
import { newEvents } from './new-events.ts';

export interface TextWrites {
  /** The stream whose events will name the texts, and the version that was decided on. */
  readonly owner: string;
  readonly version: number;
  readonly bodies: readonly BodyWrite[];
}

type Last = { readonly version: number; readonly isErased: boolean };

async function lastOf(store: EventStore, stream: string): Promise<Last> {
  const { version, events } = await store.read(stream, { limit: 1, direction: 'backwards' });
  return { version, isErased: events[0]?.type === 'BodyErased.v1' };
}

/** Recorded first, so that an erasure of the owner finds the text, whatever becomes of the one who writes it. */
async function beginText(store: EventStore, body: string, request: CommandRequest, now: string): Promise<void> {
  const { ownerId, sha256 } = bodyOwner(body);
  const stream = textsStream(ownerId);
  const event: TextBegun = { type: 'TextBegun.v1', data: { sha256 } };
  for (;;) {
    const target = { stream, expectedVersion: (await lastOf(store, stream)).version };
    const { outcome } = await store.append({ ...target, events: newEvents([event], target, request, now) });
    if (outcome === 'appended') return;
  }
}

/** False when the text was erased meanwhile. */
async function writeParts(
  store: EventStore,
  { stream, parts }: BodyWrite,
  request: CommandRequest,
  now: string,
): Promise<boolean> {
  let { version, isErased } = await lastOf(store, stream);
  while (!isErased && version < parts.length) {
    const event: BodyPartStored = {
      type: 'BodyPartStored.v1',
      data: { part: version, parts: parts.length, text: parts[version]! },
    };
    const events = newEvents([event], { stream, expectedVersion: version }, request, now);
    const result = await store.append({ stream, expectedVersion: version, events });
    // On a conflict another writer of the same text is ahead, or the text is being erased.
    if (result.outcome === 'appended') version = result.version;
    else ({ version, isErased } = await lastOf(store, stream));
  }
  return !isErased;
}

/**
 * Stores large texts before the event that names them; false when their owner has moved on or was erased, which is then
 * decided anew. A body stream is named by the hash of its text, so whoever wrote it first wrote the same; each part is
 * an append of its own to stay under the store's limit.
 */
export async function writeTexts(
  store: EventStore,
  { owner, version, bodies }: TextWrites,
  request: CommandRequest,
  now: string,
): Promise<boolean> {
  const unwritten: BodyWrite[] = [];
  for (const body of bodies) {
    const { version: parts, isErased } = await lastOf(store, body.stream);
    if (isErased) return false;
    if (parts < body.parts.length) unwritten.push(body);
  }
  if (unwritten.length === 0) return true;
  for (const { stream } of unwritten) await beginText(store, stream, request, now);
  // Whoever erases the owner from here on finds what was begun.
  if ((await lastOf(store, owner)).version !== version) return false;
  for (const body of unwritten) if (!(await writeParts(store, body, request, now))) return false;
  return true;
}
