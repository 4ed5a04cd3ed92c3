import { allProjections } from '../../projections/all-projections.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { createLog } from '../adapters/system/log.ts';
import { withEmbedders } from '../compose/with-embedders.ts';
import { embeddingSettingsOf } from '../config/embedding-settings.ts';
import { createLiveReadModels } from '../runtime/projector/live-read-models.ts';
import { rebuildSearch } from '../runtime/searching/rebuild-search.ts';
import { searchGenerated } from '../search/search-generation.ts';
import type { RunCommand } from './cli-command.ts';
import { createProgress } from './progress.ts';
import { withStores } from './with-stores.ts';

/** `rebuild search`: what is indexed for searches, anew. */
export const runRebuildSearch: RunCommand = (context) =>
  withStores(context.config, async ({ eventStore: store, readModels, openSearch, openVectors }) => {
    const clock = systemClock;
    const log = createLog({ level: context.config.LOG_LEVEL });
    const progress = createProgress('search', context);
    const { generation, releases, chunks } = await withEmbedders(
      { clock, log },
      embeddingSettingsOf(context.config),
      async (embedders) =>
        rebuildSearch({
          store,
          indexes: await openSearch(),
          vectors: await openVectors(),
          embedders,
          live: createLiveReadModels(readModels, allProjections, clock),
          clock,
          holder: `rebuild:${process.pid}:${systemIds.commandId()}`,
          generated: searchGenerated,
          onProgress: ({ phase, done, total }) => progress.show({ done, total, detail: phase }),
        }),
    ).finally(progress.end);
    const sentence = `search is live as generation ${generation}: ${releases} releases, ${chunks} pieces of changelogs`;
    context.print(context.json ? JSON.stringify({ name: 'search', generation, releases, chunks }) : sentence);
    return 0;
  });
