import type { Model } from '../../kernel/model.ts';
import type { ChangelogEvent, ChangelogFile } from './events.ts';

export interface ChangelogState {
  readonly files: readonly ChangelogFile[];
  /** How many texts were abandoned: the key of a text depends on it, so that none of them is taken up again. */
  readonly abandoned: number;
}

export const changelog: Model<ChangelogState, ChangelogEvent> = {
  foldVersion: 1,
  initial: { files: [], abandoned: 0 },
  evolve: (state, event) => {
    switch (event.type) {
      case 'ChangelogFileStored.v1': {
        const { replacedKey: _, ...file } = event.data;
        const others = state.files.filter(({ path }) => path !== file.path);
        return { ...state, files: [...others, file] };
      }
      case 'ChangelogTextAbandoned.v1':
        return { ...state, abandoned: state.abandoned + 1 };
      case 'ChangelogRemoved.v1':
        return { ...state, files: [] };
      default:
        return state;
    }
  },
};

export const namesText = ({ files }: ChangelogState, key: string): boolean =>
  files.some(({ text }) => text.key === key);
