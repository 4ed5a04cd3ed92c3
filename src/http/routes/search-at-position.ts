import { DomainError } from '../../kernel/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SearchIndex } from '../../ports/search-index.ts';
import type { SearchReading } from '../../search/search-reading.ts';

/** How long a search waits for the position that it was given (contract 2.14). */
const positionWaitMs = 2_000;
/** The index follows the log by itself; nobody tells when it has moved. */
const lookEachMs = 25;

/**
 * The generation that this request asks, once it has what was written up to a position. It is behind the read models by a
 * moment, so that those are waited for first.
 */
export async function searchIndexAt(
  { search, clock }: { readonly search: SearchReading; readonly clock: Clock },
  minPosition: number | null,
): Promise<SearchIndex | null> {
  if (minPosition === null) return search.index();
  const untilMs = clock.nowMs() + positionWaitMs;
  for (;;) {
    const index = await search.index();
    const position = index && (await index.checkpoint());
    if (index !== null && position !== null && position >= minPosition) {
      await index.settle(); // it has been written by then, which is not to say that it is found
      return index;
    }
    if (clock.nowMs() >= untilMs) throw new DomainError('projection_behind', { requested: minPosition, position });
    await clock.sleep(lookEachMs);
  }
}
