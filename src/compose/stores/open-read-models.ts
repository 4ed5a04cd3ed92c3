import { createEmbeddedReadModels } from '../../adapters/embedded/read-models/read-models.ts';
import type { BackendSettings } from '../../config/backend-settings.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ReadModels } from '../../ports/read-models.ts';
import { type Closable, openInTurn } from './open-in-turn.ts';

export interface ReadModelsOptions extends BackendSettings {
  readonly clock: Clock;
  /** What this thread is to MongoDB's logs: `registry projector`. */
  readonly appName: string;
  /** Then no file of the data folder is made or changed. */
  readonly readonly?: boolean;
}

/** Read models alone, for a thread that needs no other documents. */
export const openReadModels = (options: ReadModelsOptions): Promise<{ readonly readModels: ReadModels } & Closable> =>
  openInTurn(async (keep) => {
    const { dataDir: folder, mongodbUrl: url, clock, appName, readonly = false } = options;
    if (url === undefined) return { readModels: await keep(createEmbeddedReadModels({ folder, clock, readonly })) };
    const { openMongo } = await import('../../adapters/mongodb/connection.ts');
    const { createMongoReadModels } = await import('../../adapters/mongodb/read-models/read-models.ts');
    const connection = await keep(openMongo({ url, appName }));
    return { readModels: await keep(createMongoReadModels({ connection, clock })) };
  });
