import { createHash, type Hash } from 'node:crypto';
import { type RecordedEvent, seqOf } from '../../kernel/event.ts';
import type { EventStore } from '../../ports/event-store.ts';

export interface LogDigest {
  readonly events: number;
  /** SHA-256 over every event in order: place, id, stream, type, data and metadata. */
  readonly sha256: string;
}

const pageSize = 2_000;

/** The version is left out: a stream that was truncated begins anew in a copy. */
function update(hash: Hash, event: RecordedEvent): void {
  const { id, type, data, stream } = event;
  const metadata = { ...event.metadata, seq: seqOf(event) };
  hash.update(JSON.stringify([id, stream.name, type, data, metadata])).update('\n');
}

/** Reads a whole event log and digests it, so that two of them can be told to be the same. */
export async function digestLog(
  store: EventStore,
  onProgress: (progress: { readonly events: number; readonly position: number }) => void,
): Promise<LogDigest> {
  const hash = createHash('sha256');
  let events = 0;
  let position = 0;
  for (;;) {
    const page = await store.readAll({ afterPosition: position, limit: pageSize });
    for (const event of page.events) update(hash, event);
    events += page.events.length;
    if (page.position === position) return { events, sha256: hash.digest('hex') };
    position = page.position;
    onProgress({ events, position });
  }
}
