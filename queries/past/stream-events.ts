import type { RecordedEvent } from '../../src/kernel/event.ts';
import type { PastDeps } from './past-deps.ts';

/** An event holds at most a few hundred kB, so that a page stays within some megabytes. */
const pageEvents = 16;

/** The events of one stream from a version on, a page at a time. */
export async function* streamEvents(
  { streams }: Pick<PastDeps, 'streams'>,
  stream: string,
  fromVersion = 1,
): AsyncGenerator<RecordedEvent> {
  for (let next = fromVersion; ; ) {
    const { events, version } = await streams.read(stream, { fromVersion: next, limit: pageEvents });
    yield* events;
    const last = events.at(-1);
    if (last === undefined || last.version >= version) return;
    next = last.version + 1;
  }
}
