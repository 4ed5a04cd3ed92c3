import type { RecordedEvent } from '../../../kernel/event.ts';
import type { Projection } from '../../../kernel/projection.ts';
import type { EventStore } from '../../../ports/event-store.ts';
import type { ReadModel } from '../../../ports/read-models.ts';
import { type DocumentSample, type SampleBounds, sampleDocuments } from './document-sample.ts';
import { fitTogether, isInShare } from './document-share.ts';
import type { LivePace } from '../live-pace.ts';
import { bytesHeldOf, createSecondFold, type SecondFold } from './second-fold.ts';

/** A generation that nobody writes to while it is verified. */
export interface FilledGeneration {
  readonly projection: Projection;
  readonly model: Pick<ReadModel, 'scanTexts'>;
  /** What it has seen: it is compared with a fold of just these events. */
  readonly position: number;
}

export interface Verified {
  readonly documents: number;
  /** Fewer than there are when only a sample was folded. */
  readonly compared: number;
  /** Their ids, in order. */
  readonly differing: readonly string[];
}

export interface VerifyDeps {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly pace: LivePace;
  readonly over: AbortSignal;
  readonly onProgress: (position: number) => void;
  readonly bounds?: SampleBounds;
}

/** Read models that are larger are folded by a sample, so that one pass over the log does for however many of them. */
const defaultBounds: SampleBounds = { documentsMax: 100_000, bytesMax: 96_000_000 };

interface Checked {
  readonly generation: FilledGeneration;
  readonly sample: DocumentSample;
  readonly second: SecondFold;
  failure: Error | null;
}

function foldAll(checked: Checked, events: readonly RecordedEvent[]): void {
  if (checked.failure !== null) return;
  const { projection, position } = checked.generation;
  try {
    for (const event of events) if (event.position <= position) checked.second.fold(event);
  } catch (error) {
    checked.failure = new Error(`${projection.name} cannot be folded a second time`, { cause: error });
  }
}

function compare({ generation: { projection }, sample, second }: Checked): Verified {
  const differing: string[] = [];
  let compared = 0;
  for (const id of sample.ids()) {
    if (!isInShare(projection, second.share(), id)) continue;
    compared += 1;
    if (second.digestOf(id) !== sample.digestOf(id)) differing.push(id);
  }
  for (const id of second.ids()) if (sample.digestOf(id) === undefined) differing.push(id);
  return { documents: sample.documents, compared, differing: differing.sort() };
}

/**
 * Folds the same events once more, in memory, and compares the documents with what is stored, their absence included. All
 * generations share one pass over the log and what it may hold; what does not fit is compared by a sample.
 */
export async function verifyGenerations(
  generations: readonly FilledGeneration[],
  deps: VerifyDeps,
): Promise<Map<string, Verified | Error>> {
  const { store, pace, over, onProgress, bounds = defaultBounds } = deps;
  const mayGoOn = async (): Promise<void> => {
    over.throwIfAborted();
    await pace.giveWay(over);
  };

  const samples: DocumentSample[] = [];
  for (const { projection, model } of generations) {
    const holding = { bytesHeldOf: (text: string) => bytesHeldOf(projection, text), mayGoOn };
    samples.push(await sampleDocuments(projection, model, bounds, holding));
    fitTogether(samples, bounds.bytesMax);
  }
  const all = generations.map((generation, index): Checked => {
    const sample = samples[index]!;
    return { generation, sample, second: createSecondFold(generation.projection, sample.share()), failure: null };
  });

  const types = [...new Set(generations.flatMap(({ projection }) => Object.keys(projection.on)))];
  const end = Math.max(...generations.map(({ position }) => position));
  const folds = all.map(({ second }) => second);
  let afterPosition = 0;
  while (afterPosition < end) {
    await mayGoOn();
    const batch = await store.readAll({ afterPosition, limit: pace.eventsAtOnce(), types });
    for (const checked of all) foldAll(checked, batch.events);
    fitTogether(folds, bounds.bytesMax); // a store that has lost documents said less than the events do
    afterPosition = batch.position;
    onProgress(Math.min(afterPosition, end));
  }
  return new Map(all.map((checked) => [checked.generation.projection.name, checked.failure ?? compare(checked)]));
}
