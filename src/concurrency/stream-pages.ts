import { foldEvents, type Model } from '../kernel/model.ts';
import type { DomainEvent } from '../kernel/event.ts';
import { createPageSize } from '../kernel/paging/page-size.ts';
import { roughBytes } from '../kernel/rough-bytes.ts';
import type { EventStore, StreamSlice } from '../ports/event-store.ts';

export interface StreamPage extends StreamSlice {
  /** What was told before counts no more: these are the first events that are left. Always so of the first page. */
  readonly isBeginning: boolean;
}

/** Most streams fit the first page. */
const bounds = { first: 16, countMax: 500, bytesMax: 1_000_000 };

/** The events of one stream from a version on, in pages of bounded size: a history may be of any length. */
export async function* streamPages(
  store: Pick<EventStore, 'read'>,
  stream: string,
  fromVersion = 1,
): AsyncGenerator<StreamPage> {
  const size = createPageSize(bounds);
  for (let next = fromVersion; ; ) {
    const page = await store.read(stream, { fromVersion: next, limit: size.count() });
    const first = page.events[0]?.version;
    // Only truncating takes events away, and it takes all that are older, too.
    yield { ...page, isBeginning: next === fromVersion || first !== next };
    const last = page.events.at(-1);
    if (last === undefined || last.version >= page.version) return;
    next = last.version + 1;
    size.saw(page.events.length, roughBytes(page.events));
  }
}

/** What all events of a stream come to. The version is 0 where there never was one. */
export async function foldStream<State>(
  store: Pick<EventStore, 'read'>,
  model: Model<State, DomainEvent>,
  stream: string,
): Promise<{ readonly version: number; readonly state: State }> {
  let folded = { version: 0, state: model.initial };
  for await (const { version, events, isBeginning } of streamPages(store, stream)) {
    folded = { version, state: foldEvents(model, events, isBeginning ? model.initial : folded.state) };
  }
  return folded;
}
