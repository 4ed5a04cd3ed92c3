import type { SkippedFile } from '../../ingest/importing/import-plan.ts';
import type { ImportCounts } from './import-session.ts';

export interface ImportProgress {
  /** Changelogs, or bytes of files of releases. */
  readonly done: number;
  readonly total: number;
  readonly releases: number;
}

export interface ImportResult extends ImportCounts {
  readonly files: number;
  /** The first ones: a file may have a million lines that nobody can use. */
  readonly skipped: readonly SkippedFile[];
  readonly skippedInAll: number;
}

const skippedShown = 1_000;

export function createSkipped() {
  const first: SkippedFile[] = [];
  let count = 0;
  return {
    add: (skipped: SkippedFile): void => {
      count += 1;
      if (first.length < skippedShown) first.push(skipped);
    },
    all: (): Pick<ImportResult, 'skipped' | 'skippedInAll'> => ({ skipped: first, skippedInAll: count }),
  };
}

/** Why the registry does not take something. */
export const refusalSentence = (error: { code: string; message: string; details: unknown }): string =>
  `${error.code}: ${error.message}${error.details === undefined ? '' : ` ${JSON.stringify(error.details)}`}`;
