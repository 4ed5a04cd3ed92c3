import { allProjections } from '../../projections/all-projections.ts';
import { type ExplainedHit, explainHits, type HitPlace } from '../../queries/search/explained-hits.ts';
import { searchModes } from '../../queries/search/ranked-lists.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { createLog } from '../adapters/system/log.ts';
import { createCatalogue } from '../catalogue/catalogue.ts';
import type { Embedders } from '../compose/open-embedders.ts';
import { openStores } from '../compose/stores/open-stores.ts';
import type { Stores } from '../compose/stores/stores.ts';
import { withEmbedders } from '../compose/with-embedders.ts';
import { embeddingSettingsOf } from '../config/embedding-settings.ts';
import { StartupError } from '../kernel/startup-error.ts';
import { createLiveReadModels } from '../runtime/projector/live-read-models.ts';
import { createLiveSearch } from '../runtime/searching/live-search.ts';
import type { QueryEmbedder } from '../search/search-reading.ts';
import { type RunCommand, UsageError } from './cli-command.ts';
import { tableOf } from './table.ts';
import { withStores } from './with-stores.ts';

const limitDefault = 10;
const limitMax = 100;

const limitOf = (flag: unknown): number => {
  const limit = flag === undefined ? limitDefault : Number(flag);
  if (Number.isInteger(limit) && limit >= 1 && limit <= limitMax) return limit;
  throw new UsageError(`--limit must be a whole number from 1 to ${limitMax}.`);
};

const modeOf = (flag: unknown): (typeof searchModes)[number] => {
  const mode = searchModes.find((each) => each === (flag ?? 'hybrid'));
  if (mode === undefined) throw new UsageError(`--mode must be one of ${searchModes.join(', ')}.`);
  return mode;
};

const placeCell = (places: readonly HitPlace[], by: HitPlace['by']): string => {
  const place = places.find((each) => each.by === by);
  return place === undefined ? '-' : `#${place.rank} ${place.score.toFixed(3)}`;
};

const dayOf = (publishedMs: number | null): string =>
  publishedMs === null ? '-' : new Date(publishedMs).toISOString().slice(0, 10);

const plainHead = ['SOURCE', 'DATE', 'WHAT'];
const plainCells = ({ sourceName, publishedMs, title }: ExplainedHit) => [sourceName, dayOf(publishedMs), title];

const explainedHead = ['SCORE', 'BY WORDS', 'BY MEANING', 'RECENCY', ...plainHead];
const explainedCells = (hit: ExplainedHit) => [
  hit.score.toFixed(5),
  placeCell(hit.places, 'words'),
  placeCell(hit.places, 'meaning'),
  hit.recency === null ? '-' : `x ${hit.recency.toFixed(3)}`,
  ...plainCells(hit),
];

const queryEmbedder = (embedders: Embedders | null): QueryEmbedder | null =>
  embedders && {
    space: async () => embedders.best.space,
    embed: async (text) => (await embedders.best.embed([text], { isQuery: true }))[0] ?? null,
  };

const loadingMsMax = 15_000;
const pollMs = 50;

/** The vectors of a large index are loaded when it is opened: who asks once can wait for them. */
async function onceLoaded<Found extends { readonly degradedReason: string | null }>(
  find: () => Promise<Found>,
): Promise<Found> {
  const endMs = systemClock.nowMs() + loadingMsMax;
  for (;;) {
    const found = await find();
    if (found.degradedReason !== 'vector_index_unavailable' || systemClock.nowMs() >= endMs) return found;
    await systemClock.sleep(pollMs);
  }
}

/** `search <words>`: what a search finds, and with --explain how it came to that order. */
export const runSearch: RunCommand = (context) => {
  const q = context.words.join(' ').trim();
  if (q === '') throw new UsageError('Say what to search for.');
  const [mode, limit] = [modeOf(context.flags['mode']), limitOf(context.flags['limit'])];
  const openSearching: typeof openStores = (options) => openStores({ ...options, searches: true });
  const search = async ({ readModels, openSearch }: Stores) => {
    const clock = systemClock;
    const models = await createLiveReadModels(readModels, allProjections, clock).current();
    const index = await createLiveSearch(await openSearch())();
    if (models === null || index === null) {
      throw new StartupError('Nothing is indexed yet; start the service first.');
    }
    const catalogue = await createCatalogue(models);
    const log = createLog({ level: context.config.LOG_LEVEL });
    const { hits, degradedReason } = await withEmbedders(
      { clock, log },
      embeddingSettingsOf(context.config),
      (embedders) => {
        const deps = { models, catalogue, openIndex: async () => index, embedder: queryEmbedder(embedders) };
        const filters = { kind: null, org: null, product: null, category: null, collection: null };
        const input = { q, mode, limit, offset: 0, sinceMs: null, untilMs: null, includeCoverage: false, ...filters };
        const kinds = mode === 'lexical' ? (['release'] as const) : (['release', 'chunk'] as const);
        return onceLoaded(() => explainHits(deps, input, { kinds, nowMs: clock.nowMs(), admin: false }));
      },
    );
    if (context.json) context.print(JSON.stringify({ query: q, mode, degradedReason, items: hits }));
    else if (hits.length === 0) context.print('Nothing was found.');
    else if (context.flags['explain'] === true) context.print(tableOf(explainedHead, hits.map(explainedCells)));
    else context.print(tableOf(plainHead, hits.map(plainCells)));
    if (degradedReason !== null) context.note(`By words alone: ${degradedReason}.\n`);
    return 0;
  };
  return withStores(context.config, search, openSearching);
};
