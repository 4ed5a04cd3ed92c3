import { openStores } from '../compose.ts';
import type { Stores } from '../compose-embedded.ts';

/** Opens the stores for one piece of work and closes them whatever comes of it. */
export async function withStores<T>(dataDir: string, work: (stores: Stores) => Promise<T>): Promise<T> {
  let died: Error | undefined;
  const stores = await openStores({
    dataDir,
    onFatal: (error) => {
      died = error;
    },
  });
  try {
    return await work(stores);
  } catch (error) {
    // The death of a writer explains a failed call better than the call's own words.
    throw died ?? error;
  } finally {
    await stores.close();
  }
}
