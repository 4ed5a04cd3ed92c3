import type { BodyErased, TextBegun } from '../../domain/body/events.ts';
import { bodyStream, textsStream } from '../../domain/body/split-body.ts';
import type { ReleaseErased } from '../../domain/release/events.ts';
import type { EventMetadata, RecordedEvent } from '../../kernel/event.ts';
import type { EventStore } from '../../ports/event-store.ts';
import { endStreams, type StreamEnd } from './end-streams.ts';

export type Erasure = RecordedEvent<ReleaseErased>;

/** Bodies that are looked at together: the last event of one may hold a part of a text. */
export const bodiesAtOnce = 16;

/** Takes the place of a text. */
export const bodyErased: BodyErased = { type: 'BodyErased.v1', data: {} };

/** Of every text that was begun for the releases, named by their events or not: its writer may have died, or lost. */
async function textsOf(store: EventStore, erasures: readonly Erasure[]): Promise<StreamEnd[]> {
  const begun = await store.readMany(erasures.map(({ stream }) => textsStream(stream.id)));
  const ends = new Map<string, EventMetadata>();
  for (const [index, { stream, data, metadata }] of erasures.entries()) {
    const hashes = begun[index]!.events.map((event) => (event as RecordedEvent<TextBegun>).data.sha256);
    const bodies = [...data.bodyStreams, ...hashes.map((sha256) => bodyStream(stream.id, sha256))];
    for (const body of bodies) ends.set(body, metadata);
  }
  return [...ends].map(([stream, metadata]) => ({ stream, event: bodyErased, metadata }));
}

/**
 * Truncates what some erasures name; answers the position that read models have to pass. Doing it twice is harmless, so
 * a crash in the middle is simply done again.
 */
export async function eraseTexts(store: EventStore, erasures: readonly Erasure[]): Promise<number> {
  await store.truncateMany(erasures.map(({ stream, version }) => ({ stream: stream.name, beforeVersion: version })));
  let position = erasures.reduce((highest, erasure) => Math.max(highest, erasure.position), 0);
  const bodies = await textsOf(store, erasures);
  for (let from = 0; from < bodies.length; from += bodiesAtOnce) {
    position = Math.max(position, await endStreams(store, bodies.slice(from, from + bodiesAtOnce)));
  }
  return position;
}
