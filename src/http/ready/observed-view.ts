import { releasesTags } from '../../../projections/tags-of-write.ts';
import type { JoinedTurns } from '../../concurrency/joined-turns.ts';
import type { ReadView } from '../services.ts';
import { observeCatalogue, observeModels } from './observed-reads.ts';

/** The same question, noticed. */
const noting =
  <Input extends unknown[], Output>(note: () => void, ask: (...input: Input) => Output) =>
  (...input: Input): Output => {
    note();
    return ask(...input);
  };

/** Whatever is written about releases changes the answer. */
export const noteReleases = (tags: Set<string>): void => {
  for (const tag of releasesTags) tags.add(tag);
};

/** A view that notices what it is asked for. */
export function observeView(view: ReadView, tags: Set<string>, noteOthers: () => void): ReadView {
  // Whoever goes back in time reads events of anything, and texts leave the streams after the read models.
  const noteStreams = (): void => {
    noteReleases(tags);
    noteOthers();
  };
  // What is asked in turn may be answered by the reading of somebody else, who has the same question.
  const observeTurns = (turns: JoinedTurns): JoinedTurns => ({
    run: (key, withinMs, work) => {
      noteStreams();
      return turns.run(key, withinMs, work);
    },
  });
  const { small, large } = view.wholeOrgTurns;
  return {
    ...view,
    catalogue: observeCatalogue(view.catalogue, tags),
    models: observeModels(view.models, tags),
    streams: {
      read: noting(noteStreams, view.streams.read),
      readMany: noting(noteStreams, view.streams.readMany),
    },
    wholeOrgTurns: { small: observeTurns(small), large: observeTurns(large) },
    fetchStates: noting(noteOthers, view.fetchStates),
    lastFetches: noting(noteOthers, view.lastFetches),
    newestFetches: noting(noteOthers, view.newestFetches),
    lastUses: noting(noteOthers, view.lastUses),
    embeddedAt: noting(noteOthers, view.embeddedAt),
    deliveryCounters: noting(noteOthers, view.deliveryCounters),
  };
}
