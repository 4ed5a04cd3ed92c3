import { choiceOf } from '../../src/domain/changelog/choice.ts';
import type { ChangelogFile, ChangelogFileStored, ChangelogRemoved } from '../../src/domain/changelog/events.ts';
import { pathHash } from '../../src/domain/changelog/path-hash.ts';
import { defineProjection, put, remove } from '../../src/kernel/projection.ts';

/** A file without its text, which is among the bodies. */
export interface ChangelogFileDocument extends ChangelogFile {
  readonly id: string;
  readonly sourceId: string;
  /** The lowest of a source is the one that is meant when none is named. */
  readonly choice: number;
}

const fileId = (sourceId: string, hash: string): string => `${sourceId}/${hash}`;

export const changelogFileId = (sourceId: string, path: string): string => fileId(sourceId, pathHash(path));

export const changelogFilesProjection = defineProjection<ChangelogFileDocument, ChangelogFileStored | ChangelogRemoved>(
  {
    name: 'changelog-files',
    generation: 1,
    indexes: { byChoice: ['sourceId', 'choice'] },
    on: {
      'ChangelogFileStored.v1': {
        load: () => [],
        fold: (_, { data: { replacedKey: _replaced, ...file }, stream: { id: sourceId } }) => [
          put({ id: changelogFileId(sourceId, file.path), sourceId, choice: choiceOf(file.path), ...file }),
        ],
      },
      'ChangelogRemoved.v1': {
        load: () => [],
        fold: (_, { data: { pathHashes }, stream: { id: sourceId } }) =>
          pathHashes.map((hash) => remove(fileId(sourceId, hash))),
      },
    },
  },
);
