import { releasesTags } from '../../../projections/tags-of-write.ts';
import type { JoinedTurns } from '../../concurrency/joined-turns.ts';
import { contactTag } from '../../records/told-contacts.ts';
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

/** What a view was asked for. */
export interface Noted {
  readonly tags: Set<string>;
  /** Of the sources whose contacts were read. */
  readonly contacts: Set<string>;
  readonly noteOthers: () => void;
}

/** A view that notices what it is asked for. */
export function observeView(view: ReadView, { tags, contacts, noteOthers }: Noted): ReadView {
  const ofSources =
    <Output>(ask: (sourceIds: readonly string[]) => Output) =>
    (sourceIds: readonly string[]): Output => {
      for (const id of sourceIds) contacts.add(contactTag(id));
      return ask(sourceIds);
    };
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
    fetchStates: ofSources(view.fetchStates),
    embeddedAt: ofSources(view.embeddedAt),
    lastUses: noting(noteOthers, view.lastUses),
    deliveryCounters: noting(noteOthers, view.deliveryCounters),
  };
}
