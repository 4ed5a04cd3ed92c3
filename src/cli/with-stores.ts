import { openStores } from '../compose/stores/open-stores.ts';
import type { Stores } from '../compose/stores/stores.ts';
import { storesOf } from '../config/backend-settings.ts';
import type { Config } from '../config/settings.ts';

/** Opens the stores for one piece of work and closes them whatever comes of it. */
export async function withStores<T>(
  config: Config,
  work: (stores: Stores) => Promise<T>,
  open: typeof openStores = openStores,
): Promise<T> {
  let died: Error | undefined;
  const stores = await open({
    ...storesOf(config),
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
