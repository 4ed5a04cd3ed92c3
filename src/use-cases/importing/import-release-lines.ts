import type { ReleaseItem } from '../../domain/release/fields.ts';
import { type OpenBatch, openBatch } from '../../ingest/item-batches.ts';
import type { ImportedSource } from '../../ingest/importing/imported-source.ts';
import { readReleaseLine } from '../../ingest/importing/release-line.ts';
import { isDomainError } from '../../kernel/errors.ts';
import { type ImportPlace, type ImportRunInHand, withImportRun } from '../../records/import-runs.ts';
import { createSkipped, type ImportProgress, type ImportResult, refusalSentence } from './import-result.ts';
import { createImportSession, type ImportOptions, type ImportServices } from './import-session.ts';

/** A line of a file, without its end. */
export interface FileLine {
  readonly number: number;
  /** Null when it is longer than a release can be. */
  readonly text: string | null;
  /** Where the next line begins. */
  readonly endByte: number;
}

export interface LinesFile {
  /** As a report names it. */
  readonly path: string;
  readonly bytes: number;
  /** Changes when the file does. */
  readonly stamp: string;
  readonly lines: (from: Pick<ImportPlace, 'byte' | 'line'>) => AsyncIterable<FileLine>;
}

export interface LinesImport extends ImportOptions {
  /** An import of this name that was cut off goes on after the last lines that it had stored. */
  readonly name: string;
  readonly files: readonly LinesFile[];
  readonly onProgress: (progress: ImportProgress) => void;
}

/** Releases of many sources may come by turns; what waits to be stored is bounded. */
const openSourcesMax = 100;
const openCharsMax = 16_000_000;
/** Lines after which everything is stored and the place is noted: so many are read again after a kill. */
const placeEveryLines = 5_000;

interface Waiting {
  readonly source: ImportedSource;
  readonly batch: OpenBatch;
  readonly firstLine: number;
}

const keyOf = ({ id, org, slug }: ImportedSource): string => id ?? `${org?.slug ?? ''}/${slug}`;

async function runImport(
  services: ImportServices,
  { files, onProgress, ...options }: LinesImport,
  { importId, place, save }: ImportRunInHand,
): Promise<ImportResult> {
  const session = createImportSession(services, options, importId);
  const skipped = createSkipped();
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let doneBytes = 0;

  async function importFile(file: LinesFile): Promise<void> {
    const waiting = new Map<string, Waiting>();

    async function store({ source, batch, firstLine }: Waiting): Promise<void> {
      try {
        await session.take(source, batch.items);
      } catch (error) {
        if (!isDomainError(error)) throw error;
        const lines = batch.items.length === 1 ? '' : ` (and ${batch.items.length - 1} more of its source)`;
        skipped.add({ path: `${file.path}:${firstLine}`, reason: `${refusalSentence(error)}${lines}` });
      }
    }

    async function storeAll(): Promise<void> {
      for (const each of waiting.values()) await store(each);
      waiting.clear();
    }

    async function add(source: ImportedSource, item: ReleaseItem, line: number): Promise<void> {
      const key = keyOf(source);
      const known = waiting.get(key);
      if (known?.batch.add(item)) return;
      if (known !== undefined) await store(known);
      const batch = openBatch();
      batch.add(item);
      waiting.set(key, { source, batch, firstLine: line });
    }

    const isFull = (): boolean =>
      waiting.size > openSourcesMax ||
      [...waiting.values()].reduce((sum, { batch }) => sum + batch.chars(), 0) > openCharsMax;

    function show(byte: number): void {
      const { inserted, revised, unchanged, withdrawn } = session.counts().releases;
      onProgress({ done: doneBytes + byte, total, releases: inserted + revised + unchanged + withdrawn });
    }

    const isSame = place?.path === file.path && place.stamp === file.stamp;
    const begin = isSame ? place : { byte: 0, line: 0 };
    let notedLine = begin.line;
    for await (const { number, text, endByte } of file.lines(begin)) {
      const read = text === null ? { reason: 'it is longer than a release can be' } : text.trim() === '' ? null : text;
      const line = typeof read === 'string' ? readReleaseLine(read, services.webBaseUrl) : read;
      if (line !== null && 'reason' in line) skipped.add({ path: `${file.path}:${number}`, reason: line.reason });
      else if (line !== null) await add(line.source, line.item, number);
      const isPlaceDue = number - notedLine >= placeEveryLines;
      if (!isPlaceDue && !isFull()) continue;
      await storeAll();
      show(endByte);
      // After all before it is stored: what is noted is never read again.
      await save({ path: file.path, stamp: file.stamp, byte: endByte, line: number });
      notedLine = number;
    }
    await storeAll();
    show(file.bytes);
    doneBytes += file.bytes;
  }

  const from = place === null ? -1 : files.findIndex(({ path, stamp }) => path === place.path && stamp === place.stamp);
  for (const [index, file] of files.entries()) {
    if (index < from) doneBytes += file.bytes;
    else await importFile(file);
  }
  return { files: files.length, ...session.counts(), ...skipped.all() };
}

/** Brings releases in that stand in files, one JSON object a line. Doing it again changes nothing. */
export const importReleaseLines = (services: ImportServices, wanted: LinesImport): Promise<ImportResult> =>
  withImportRun(services, wanted, (run) => runImport(services, wanted, run));
