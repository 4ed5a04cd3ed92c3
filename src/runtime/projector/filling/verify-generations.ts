import type { RecordedEvent } from '../../../kernel/event.ts';
import type { Projection } from '../../../kernel/projection.ts';
import type { EventStore } from '../../../ports/event-store.ts';
import type { ReadModel } from '../../../ports/read-models.ts';
import { type DocumentPart, isInPart, splitPart } from './document-part.ts';
import { digestOf, type DocumentSample, type SampleBounds, sampleDocuments } from './document-sample.ts';
import type { LivePace } from '../live-pace.ts';
import { createSecondFold, type SecondFold } from './second-fold.ts';

/** A generation that nobody writes to while it is verified. */
export interface FilledGeneration {
  readonly projection: Projection;
  readonly model: Pick<ReadModel, 'scan'>;
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
  readonly bounds?: VerifyBounds;
}

export interface VerifyBounds extends SampleBounds {
  /** What all folds of one pass over the log may hold together. */
  readonly passBytesMax: number;
}

/** Each read model is folded whole up to here. Beyond, a sample: the log would have to be read too often. */
const defaultBounds: VerifyBounds = { documentsMax: 100_000, bytesMax: 256_000_000, passBytesMax: 64_000_000 };

/** A part that is still too large holds one group, which cannot be divided. */
const partsMax = 1_024;

interface Checked {
  readonly generation: FilledGeneration;
  readonly sample: DocumentSample;
  compared: number;
  readonly differing: string[];
  failure: Error | null;
}

interface Task {
  readonly checked: Checked;
  readonly part: DocumentPart;
  /** What its fold is expected to hold. */
  readonly bytes: number;
}

const firstTasks = (checked: Checked, passBytesMax: number): Task[] => {
  const { share, bytes } = checked.sample;
  const parts = Math.max(1, Math.ceil(bytes / passBytesMax));
  return Array.from({ length: parts }, (_, remainder) => ({
    checked,
    part: { share, parts, remainder },
    bytes: bytes / parts,
  }));
};

/** Each gets a pass of its own: nobody knows any more what it will hold. */
const halvesOf = (task: Task, bytes: number): Task[] =>
  task.part.parts >= partsMax ? [task] : splitPart(task.part).map((part) => ({ ...task, part, bytes }));

function foldAll({ checked }: Task, { fold }: SecondFold, events: readonly RecordedEvent[]): void {
  if (checked.failure !== null) return;
  const { projection, position } = checked.generation;
  try {
    for (const event of events) if (event.position <= position) fold(event);
  } catch (error) {
    checked.failure = new Error(`${projection.name} cannot be folded a second time`, { cause: error });
  }
}

function compare({ checked, part }: Task, { texts }: SecondFold): void {
  const { projection } = checked.generation;
  const { digests } = checked.sample;
  for (const [id, digest] of digests) {
    if (!isInPart(projection, part, id)) continue;
    const text = texts.get(id);
    checked.compared += 1;
    if (text === undefined || digestOf(text) !== digest) checked.differing.push(id);
  }
  for (const id of texts.keys()) if (!digests.has(id)) checked.differing.push(id);
}

/**
 * Folds the same events once more, in memory, and compares every document with what is stored, its absence included. All
 * generations share the passes over the log; each pass holds a bounded part of their documents.
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

  /** False when the folds hold more than a pass may: what is stored said less than the events do. */
  async function pass(tasks: readonly Task[], isLastTry: boolean): Promise<boolean> {
    const folds = tasks.map((task) => ({
      task,
      fold: createSecondFold(task.checked.generation.projection, task.part),
    }));
    const types = [...new Set(tasks.flatMap(({ checked }) => Object.keys(checked.generation.projection.on)))];
    const end = Math.max(...tasks.map(({ checked }) => checked.generation.position));
    let afterPosition = 0;
    while (afterPosition < end) {
      await mayGoOn();
      const batch = await store.readAll({ afterPosition, limit: pace.eventsAtOnce(), types });
      for (const { task, fold } of folds) foldAll(task, fold, batch.events);
      const held = folds.reduce((sum, { fold }) => sum + fold.bytes(), 0);
      if (held > 2 * bounds.passBytesMax && !isLastTry) return false;
      afterPosition = batch.position;
      onProgress(Math.min(afterPosition, end));
    }
    for (const { task, fold } of folds) compare(task, fold);
    return true;
  }

  const all: Checked[] = [];
  for (const generation of generations) {
    const { projection, model } = generation;
    const sample = await sampleDocuments(projection, model, bounds, mayGoOn);
    all.push({ generation, sample, compared: 0, differing: [], failure: null });
  }

  let tasks = all.flatMap((checked) => firstTasks(checked, bounds.passBytesMax));
  while (tasks.length > 0) {
    const together = firstThatFit(tasks, bounds.passBytesMax);
    const later = tasks.slice(together.length);
    const halves = together.flatMap((task) => halvesOf(task, bounds.passBytesMax));
    tasks = (await pass(together, halves.length === together.length)) ? later : [...halves, ...later];
  }
  return new Map(all.map((checked) => [checked.generation.projection.name, checked.failure ?? verifiedOf(checked)]));
}

function firstThatFit(tasks: readonly Task[], bytesMax: number): Task[] {
  let bytes = 0;
  const end = tasks.findIndex((task, index) => (bytes += task.bytes) > bytesMax && index > 0);
  return end === -1 ? [...tasks] : tasks.slice(0, end);
}

const verifiedOf = ({ sample, compared, differing }: Checked): Verified => ({
  documents: sample.documents,
  compared,
  differing: differing.sort(),
});
