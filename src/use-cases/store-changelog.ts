import { storeChangelogFile } from '../../commands/changelog/store-changelog-file.ts';
import { outlineOf } from '../domain/changelog/outline.ts';
import type { CommandRequest } from '../kernel/command.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import type { CommandRunner } from '../runtime/commands/command-runner.ts';

export interface StoreChangelogServices {
  readonly commands: CommandRunner;
  readonly tokenCounter: Pick<TokenCounter, 'countMany'>;
}

export interface ChangelogToStore {
  readonly path: string;
  readonly content: string;
  readonly url?: string;
  readonly rawUrl?: string;
}

interface WantedFile {
  readonly sourceId: string;
  readonly file: ChangelogToStore;
  /** The file is longer than what is stored of it. */
  readonly truncated?: boolean;
}

/** Stores a changelog file of a source, with the outline that slices of it are cut by. */
export async function storeChangelog(
  { commands, tokenCounter }: StoreChangelogServices,
  { sourceId, file, truncated = false }: WantedFile,
  request: CommandRequest,
): Promise<{ readonly position: number }> {
  const outline = await outlineOf(file.content, tokenCounter.countMany);
  return commands.run(storeChangelogFile, { sourceId, file, truncated, outline }, request);
}
