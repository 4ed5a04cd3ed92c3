import type { SourceEvent } from '../../src/domain/source/events.ts';
import { source as sourceModel } from '../../src/domain/source/state.ts';
import { type RecordedEvent, seqOf } from '../../src/kernel/event.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';
import type { PastDeps } from '../past/past-deps.ts';
import { streamEvents } from '../past/stream-events.ts';

/** From the event that hid a source to the one that showed it again. */
interface HiddenSpan {
  readonly from: number;
  readonly to: number;
}

/** Whether a source was hidden at a position, by what its own stream says, which is short. */
export const hiddenSpans = async (
  deps: Pick<PastDeps, 'streams'>,
  sourceId: string,
): Promise<(position: number) => boolean> => {
  const spans: HiddenSpan[] = [];
  let state = sourceModel.initial;
  let from: number | null = null;
  for await (const stored of streamEvents(deps, streamOf('source', sourceId))) {
    const event = stored as RecordedEvent<SourceEvent>;
    state = sourceModel.evolve(state, event as SourceEvent, event.metadata);
    if (state.hidden) from ??= seqOf(event);
    else if (from !== null) {
      spans.push({ from, to: seqOf(event) });
      from = null;
    }
  }
  if (from !== null) spans.push({ from, to: Number.POSITIVE_INFINITY });
  return (position) => spans.some((span) => span.from <= position && position <= span.to);
};
