import { choiceOf } from '../../src/domain/changelog/choice.ts';
import type { ChangelogFile, ChangelogFileStored } from '../../src/domain/changelog/events.ts';
import { defineProjection, put } from '../../src/kernel/projection.ts';

/** A file without its text, which is among the bodies. */
export interface ChangelogFileDocument extends ChangelogFile {
  readonly id: string;
  readonly sourceId: string;
  /** The lowest of a source is the one that is meant when none is named. */
  readonly choice: number;
}

export const changelogFileId = (sourceId: string, path: string): string => `${sourceId}/${path}`;

export const changelogFilesProjection = defineProjection<ChangelogFileDocument, ChangelogFileStored>({
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
  },
});
