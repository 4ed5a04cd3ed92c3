import { createCachedAnswer } from '../concurrency/cached-answer.ts';
import { createMadeOnce } from '../concurrency/made-once.ts';
import type { BackendSettings } from '../config/backend-settings.ts';
import type { EmbeddingSettings } from '../config/embedding-settings.ts';
import type { Role } from '../config/settings.ts';
import { BackendUnavailable } from '../kernel/backend-unavailable.ts';
import { StartupError } from '../kernel/startup-error.ts';
import { createLiveSearch } from '../runtime/searching/live-search.ts';
import { createIndexWatch } from '../search/index-outage.ts';
import { missingIndex } from '../search/missing-index.ts';
import type { SearchReading } from '../search/search-reading.ts';
import { createVectorBreaker } from '../search/vector-breaker.ts';
import type { Stores } from './stores/stores.ts';
import { beginSearchThread } from './threads/search-thread.ts';
import type { ThreadSupervision } from './threads/supervised-thread.ts';

export interface SearchingDeps {
  readonly stores: Pick<Stores, 'openSearch' | 'shareOpsWriter'>;
  readonly backends: BackendSettings;
  /** Without it this process neither indexes nor searches, whatever its roles. */
  readonly embedding: EmbeddingSettings | undefined;
  readonly roles: readonly Role[];
  readonly logLevel: string;
  readonly supervision: ThreadSupervision;
  readonly holder: string;
  /** Of the projector of this process. */
  readonly stamp?: SharedArrayBuffer;
  /** Nobody waits for the thread of search, and it begins when those who wait for this have it. */
  readonly catalogueLoaded: Promise<void>;
  readonly isClosing: () => boolean;
  readonly onStarted: (close: () => Promise<void>) => void;
}

export interface Searching {
  readonly search: SearchReading;
  /** What must work for it, by name; a check that fails throws. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  /** How far the index is fed; null where another process does it. */
  readonly position: (() => Promise<number | null>) | null;
  /** Whether a lesser model than is wanted embeds queries, null while that is not known; null where nothing is embedded. */
  readonly isEmbedderReplaced: (() => Promise<boolean | null>) | null;
}

/** Probes ask several times a second; a server need not be asked each time. */
const serverAnswerKeptMs = 1_000;

/** Who projects makes the index; whoever does not must find one. */
const requireIndex = (find: SearchReading['index']) => async () => {
  const found = await find();
  if (found === null) throw missingIndex();
  return found;
};

/** Who answers requests searches and embeds what is looked for; who projects feeds the index. */
export function beginSearching(deps: SearchingDeps): Searching {
  const { stores, backends, embedding, roles, logLevel, supervision, holder, stamp } = deps;
  const { clock, log, onFatal } = supervision;
  const projects = roles.includes('projector');
  const isOnServer = backends.openSearchUrl !== undefined;
  /** What would end a start is an outage to who was asked: a server that was away then may refuse us when it is back. */
  const openIndexes = async () => {
    try {
      return await stores.openSearch();
    } catch (error) {
      const isOfServer = isOnServer && error instanceof StartupError;
      throw isOfServer ? new BackendUnavailable('OpenSearch', { cause: error }) : error;
    }
  };
  const openLive = createMadeOnce(async () => createLiveSearch(await openIndexes()));
  const guardVectors = createVectorBreaker({ clock, log });
  const index = createIndexWatch({ clock, log })(async () => {
    const live = await (await openLive())();
    return live && guardVectors(live);
  });
  if (embedding === undefined || !(projects || roles.includes('http'))) {
    return { search: { index, embedder: null }, checks: {}, position: null, isEmbedderReplaced: null };
  }
  const mustBeFound = !projects && !isOnServer; // on a server it is that of all processes, whoever makes it
  const search = { index: mustBeFound ? requireIndex(index) : index };
  if (mustBeFound) {
    search.index().catch((error: Error) => {
      if (!deps.isClosing()) log.warn('searches cannot be answered', { reason: error.message });
    });
  }
  // A server that is away is waited for; one that refuses us, or whose indexes are of another registry, never will do.
  stores.openSearch().catch((error: unknown) => {
    if (error instanceof StartupError) onFatal(error);
  });
  const pointer = async () => (await stores.openSearch()).pointer();
  const searchIndex = createCachedAnswer(clock, serverAnswerKeptMs, pointer);
  const data = { backends, embedding, feeds: projects, logLevel, holder, ...(stamp && { stamp }) };
  const { shareOpsWriter } = stores;
  const thread = beginSearchThread({ data, after: deps.catalogueLoaded, shareOpsWriter, ...supervision });
  deps.onStarted(thread.close);
  return {
    search: { ...search, embedder: thread.embedder },
    checks: { search: thread.check, ...(isOnServer && { searchIndex }) },
    position: projects ? thread.position : null,
    isEmbedderReplaced: thread.embedder && thread.isEmbedderReplaced,
  };
}
