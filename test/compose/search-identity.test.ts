import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openStores } from '../../src/compose/stores/open-stores.ts';
import type { Stores } from '../../src/compose/stores/stores.ts';
import { StartupError } from '../../src/kernel/startup-error.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

const onFatal = (error: Error): void => {
  throw error;
};

describe('the search index of another registry', () => {
  const folders: TempFolder[] = [];
  const opened: Stores[] = [];

  const openIn = async (folder: TempFolder): Promise<Stores> => {
    const stores = await openStores({ backends: { dataDir: folder.path }, onFatal });
    opened.push(stores);
    return stores;
  };
  const newFolder = (): TempFolder => {
    const folder = createTempFolder();
    folders.push(folder);
    return folder;
  };
  afterEach(async () => {
    for (const stores of opened.splice(0)) await stores.close();
    for (const folder of folders.splice(0)) folder.remove();
  });

  it('is refused with a sentence, whoever asks for it, and the own one is not', async () => {
    const [own, foreign] = [newFolder(), newFolder()];
    for (const folder of [own, foreign]) {
      const stores = await openIn(folder);
      expect(await (await stores.openSearch()).identity()).not.toBeNull();
      await stores.close();
    }
    expect(await (await (await openIn(own)).openSearch()).pointer()).toBeNull();
    cpSync(join(foreign.path, 'search'), join(own.path, 'search'), { recursive: true });
    const stores = await openIn(own);
    for (const again of [1, 2]) {
      const opening = stores.openSearch();
      await expect(opening, `time ${again}`).rejects.toThrow(StartupError);
      await expect(opening).rejects.toThrow(/search indexes belong to registry .* can be removed and are built anew/);
    }
  });
});
