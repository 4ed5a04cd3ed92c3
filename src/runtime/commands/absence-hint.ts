import type { Log } from '../../ports/log.ts';
import type { StreamWork } from './decide-stream.ts';

/** Somebody who nearly always knows which streams exist. What it says wrongly costs time and nothing else. */
export interface AbsenceHint {
  readonly log: Log;
  readonly knownStreams: (streams: readonly string[]) => Promise<ReadonlySet<string>>;
}

/**
 * Streams that are taken for absent without reading them: the store itself refuses what is stored there already, by
 * whomever. Only such with one item, whose events are one append: of more than one, an earlier run of the same command
 * may have stored a part, which only the events tell.
 */
export async function unreadStreams(
  hint: AbsenceHint | undefined,
  works: readonly StreamWork<unknown>[],
): Promise<ReadonlySet<string>> {
  const single = works.filter(({ items }) => items.length === 1).map(({ stream }) => stream);
  if (hint === undefined || single.length === 0) return new Set();
  try {
    const known = await hint.knownStreams(single);
    return new Set(single.filter((stream) => !known.has(stream)));
  } catch (error) {
    hint.log.warn('which streams exist could not be looked up, so all of them are read', { error });
    return new Set();
  }
}
