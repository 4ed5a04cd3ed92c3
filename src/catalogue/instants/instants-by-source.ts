import { type InstantsDocument, instantsPlace } from '../../../projections/instants/instants-document.ts';
import {
  type ChunkInstants,
  chunkInstants,
  joinChunks,
  joinMonths,
  noInstants,
  type SourceInstants,
} from './source-instants.ts';
import { createWideMap } from '../wide-map.ts';

interface Named {
  readonly name: string;
}

interface Chunk extends Named {
  readonly instants: ChunkInstants;
}

interface Month extends Named {
  readonly chunks: readonly Chunk[];
  /** All of its chunks by date; null before somebody asks. */
  joined: ChunkInstants | null;
}

/** Where it is, or would be, in a list by name. */
const placeOf = (list: readonly Named[], name: string): number => {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]!.name < name) low = middle + 1;
    else high = middle;
  }
  return low;
};

const find = <Each extends Named>(list: readonly Each[], name: string): Each | undefined => {
  const each = list[placeOf(list, name)];
  return each?.name === name ? each : undefined;
};

/** Without the one of that name, and with those instead. A copy: a list that grows keeps room for many more. */
const replaced = <Each extends Named>(list: readonly Each[], name: string, ...by: readonly Each[]): readonly Each[] =>
  list.toSpliced(placeOf(list, name), find(list, name) === undefined ? 0 : 1, ...by);

interface LoadedChunk {
  readonly id: string;
  readonly instants: ChunkInstants;
}

/** Ids begin with the source and the month, so their order is that of all lists. The last one of an id is the one that counts. */
const monthsOfLoaded = (loaded: readonly LoadedChunk[]): readonly Month[] => {
  const months: { name: string; chunks: Chunk[]; joined: null }[] = [];
  for (const { id, instants } of loaded.toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)))) {
    const { month: name, chunk } = instantsPlace(id);
    const last = months.at(-1);
    if (last?.name !== name) months.push({ name, chunks: [{ name: chunk, instants }], joined: null });
    else if (last.chunks.at(-1)!.name === chunk) last.chunks[last.chunks.length - 1] = { name: chunk, instants };
    else last.chunks.push({ name: chunk, instants });
  }
  return months.slice(); // a list that grows keeps room for many more
};

const joinedMonth = (month: Month): ChunkInstants => {
  month.joined ??= joinChunks(
    month.name,
    month.chunks.map(({ instants }) => instants),
  );
  return month.joined;
};

/**
 * Keeps the chunks apart, as they change one by one, and joins them when somebody asks. Only the month that has changed is
 * put in order again: the others of a large source are copied. All lists are by name: most sources have few months and
 * these few chunks, and maps of so few would be most of what a catalogue takes.
 */
export const createInstantsBySource = () => {
  const monthsBySource = createWideMap<readonly Month[]>();
  const joined = new Map<string, SourceInstants>();
  /** Of sources without months yet, until somebody looks: one by one, all that a source has would be copied for each. */
  const loadedBySource = createWideMap<LoadedChunk[]>();

  const monthsOf = (sourceId: string): readonly Month[] | undefined => {
    const loaded = loadedBySource.get(sourceId);
    if (loaded === undefined) return monthsBySource.get(sourceId);
    loadedBySource.delete(sourceId);
    const months = monthsOfLoaded(loaded);
    monthsBySource.set(sourceId, months);
    return months;
  };

  const change = (id: string, instants: readonly ChunkInstants[]): void => {
    const { sourceId, month: name, chunk } = instantsPlace(id);
    const chunks = instants.map((each): Chunk => ({ name: chunk, instants: each }));
    const months = monthsOf(sourceId) ?? [];
    const before = find(months, name)?.chunks ?? [];
    const left = replaced(before, chunk, ...chunks);
    const next = replaced(months, name, ...(left.length > 0 ? [{ name, chunks: left, joined: null }] : []));
    if (next.length > 0) monthsBySource.set(sourceId, next);
    else monthsBySource.delete(sourceId);
    joined.delete(sourceId);
  };

  return {
    apply: (doc: InstantsDocument) => change(doc.id, [chunkInstants(doc)]),
    /** The same for a source that nobody has looked at yet; it costs less where all documents are brought in. */
    applyLoaded: (doc: InstantsDocument) => {
      const { id, sourceId } = doc;
      const loaded = loadedBySource.get(sourceId);
      if (loaded === undefined && monthsBySource.get(sourceId) !== undefined) return change(id, [chunkInstants(doc)]);
      const chunk = { id, instants: chunkInstants(doc) };
      if (loaded === undefined) loadedBySource.set(sourceId, [chunk]);
      else loaded.push(chunk);
    },
    remove: (id: string) => change(id, []),
    instantsOf: (sourceId: string): SourceInstants => {
      const known = joined.get(sourceId);
      if (known !== undefined) return known;
      const months = monthsOf(sourceId);
      if (months === undefined) return noInstants;
      const instants = joinMonths(new Map(months.map((month) => [month.name, joinedMonth(month)])));
      joined.set(sourceId, instants);
      return instants;
    },
  };
};
