import { allProjections } from '../../projections/all-projections.ts';
import { loadReferenceFiles } from '../adapters/reference/reference-files.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { systemResolver } from '../adapters/system/resolver.ts';
import { systemRunLater } from '../adapters/system/run-later.ts';
import { systemStopwatch } from '../adapters/system/stopwatch.ts';
import type { Registry } from './registry.ts';
import type { LookupSettings } from '../config/lookup-settings.ts';
import type { RateLimitSettings } from '../config/rate-limit-settings.ts';
import { readyAnswersMibDefault } from '../config/declared/ready-answers.ts';
import { defaultRegistryName } from '../config/settings.ts';
import { createTargetGuard } from '../delivery/target-guard.ts';
import { createApp } from '../http/app.ts';
import { createAuthenticator } from '../http/authenticate.ts';
import { createSharedCounts } from '../concurrency/shared-memory/shared-counts.ts';
import { createStampedAnswer } from '../concurrency/stamped-answer.ts';
import { createListener, type HttpListener } from '../http/listener.ts';
import { createRateLimiter, type RateLimiter } from '../http/middleware/rate-limit.ts';
import { createEmbeddedTimes } from '../records/embedded-times.ts';
import { createFetchLog } from '../records/fetch-log.ts';
import { openFetchTurns } from '../records/fetching/fetch-turns.ts';
import { createIdempotencyKeys } from '../records/idempotency-keys.ts';
import { openRequestCounts } from '../records/request-counts.ts';
import { createOpenApiOnce } from '../http/openapi/openapi.ts';
import { createReadViews, type ReadViews } from '../http/read-view.ts';
import { createForeignWrites } from '../http/ready/foreign-writes.ts';
import { createReadyAnswers, type ReadyAnswers } from '../http/ready/ready-answers.ts';
import { createSendReady } from '../http/ready/send-ready.ts';
import { createReference } from '../http/reference/create-reference.ts';
import { referenceFilePath, referenceFilesPath } from '../http/reference/send-file.ts';
import { createRequireBuilt } from '../http/require-built.ts';
import { createRequestMeter, type RequestMeter } from '../http/request-meter.ts';
import { allRoutes, rootRoutes } from '../http/routes/all-routes.ts';
import { healthRoutes } from '../http/routes/self-description.ts';
import { searchOutcomes } from '../../queries/search/search-outcomes.ts';
import { webRoutes } from '../http/routes/web/web-pages.ts';
import type { Route } from '../http/route.ts';
import type { RouteRunnerDeps } from '../http/run-route.ts';
import type { Services } from '../http/services.ts';
import { createKeptNeighbours } from '../../queries/related/kept-neighbours.ts';
import { createKeptLatest } from '../../queries/releases/kept-latest.ts';
import { nextDueMs } from '../../queries/releases/next-due.ts';
import { createSourceContacts } from '../records/source-contacts.ts';
import { tellContacts } from '../records/told-contacts.ts';
import { createTokenUses } from '../records/token-uses.ts';
import type { Resolver } from '../ports/resolver.ts';
import { openDeliveryLog } from '../records/delivery/delivery-log.ts';
import { createNewSecrets } from '../records/secrets/new-secrets.ts';
import { createSeal } from '../records/secrets/seal.ts';
import { openLookupMemory } from '../records/lookup-memory.ts';
import { createSigningKeys } from '../records/secrets/signing-keys.ts';
import { openWebhookHealths } from '../records/delivery/webhook-health.ts';
import { createLookUpRepository } from '../use-cases/look-up-repository.ts';
import { createGithubReader } from './github-reader.ts';

export interface HttpOptions {
  readonly rootApiKey: string | undefined;
  /** 32 bytes. */
  readonly secretKey: Uint8Array;
  readonly webBaseUrl: string;
  /** What this registry calls itself in manifests. */
  readonly registryName?: string;
  readonly trustedOrigins: readonly string[];
  /** Without it only the health of the process is served. */
  readonly servesApi?: boolean;
  /** Webhooks may be sent to addresses inside the network too. */
  readonly allowPrivateTargets?: boolean;
  readonly lookups: LookupSettings;
  readonly rateLimits: RateLimitSettings;
  /** Looks up the hosts of webhooks; the system's own unless another is given. */
  readonly resolver?: Resolver;
  readonly onAnswer?: RouteRunnerDeps['onAnswer'];
  /** How much may be kept ready; 0 keeps nothing. */
  readonly readyAnswersMib?: number;
}

const mib = 1024 * 1024;

export interface HttpApp {
  readonly listener: HttpListener;
  readonly services: Services;
  /** Those of its checks without which no request can be answered: what it takes to begin. */
  readonly neededChecks: Services['checks'];
  /** To be called when no request comes any more, before the registry is closed. */
  readonly close: () => Promise<void>;
  readonly meter: RequestMeter;
  readonly cache: ReadyAnswers['counts'];
  readonly limited: RateLimiter['refusals'];
}

/** Health and documents have paths without parameters, but for the files of a document. */
function createIsCounted(placed: readonly (readonly [prefix: string, routes: readonly Route[]])[]) {
  const uncounted = new Set(
    placed.flatMap(([prefix, routes]) =>
      routes.filter(({ isCounted }) => !isCounted).map(({ path }) => `${prefix}${path}`),
    ),
  );
  return (path: string): boolean => !uncounted.has(path) && !path.startsWith(referenceFilesPath);
}

const builtNoticedMs = 50;

/** The HTTP side of a registry: everything a request meets, short of the server itself. */
export async function createHttpApp(registry: Registry, options: HttpOptions): Promise<HttpApp> {
  const { commands, batches, tokenCounter, live, log, ops, readModels, eventStore: store } = registry;
  const { rootApiKey, secretKey, webBaseUrl, trustedOrigins, servesApi = true, onAnswer } = options;
  const { allowPrivateTargets = false, resolver = systemResolver } = options;
  const clock = systemClock;
  const contacts = await createSourceContacts(tellContacts(ops, registry.projected.touch), clock);
  const fetchLog = await createFetchLog(ops);
  const tokenUses = await createTokenUses(ops, log);
  const embeddedTimes = await createEmbeddedTimes(ops);
  const webhookHealths = await openWebhookHealths(ops);
  const deliveryCounters = webhookHealths.getMany;
  const projectsHere = registry.measures.roles.includes('projector');
  const requireBuilt = createRequireBuilt({ readModels, projections: allProjections, projectsHere });
  // Whether they are there is asked before each write, and changes seldom.
  const foundBuilt = createStampedAnswer({ clock, stamp: () => 0, keptMs: builtNoticedMs }, async () => {
    if ((await live.current()) === null) await requireBuilt();
  });
  const reference = createReference(loadReferenceFiles);
  const ready: ReadyAnswers = createReadyAnswers({
    bytesMax: (options.readyAnswersMib ?? readyAnswersMibDefault) * mib,
    stamp: registry.projected.value,
    isTouchedSince: registry.projected.isTouchedSince,
    foreign: createForeignWrites({
      live,
      projections: allProjections,
      ownPosition: registry.projected.position,
      onForeignWrite: (tags) => {
        views.forget(); // before the answers: what is made from now on must not be made of it
        registry.projected.touch(tags);
      },
      clock,
    }),
    nextDueMs: async (nowMs) => nextDueMs(await views.view(), nowMs),
    clock,
    runLater: systemRunLater,
  });
  const views: ReadViews = createReadViews({
    onPassed: ready.passed,
    live,
    requireBuilt,
    catalogues: registry.catalogues,
    stamp: registry.projected.value,
    switches: registry.projected.switches,
    clock,
    runLater: systemRunLater,
    streams: store,
    fetchStates: contacts.states,
    lastFetches: contacts.lastFetches,
    newestFetches: fetchLog.newest,
    lastUses: tokenUses.lastUses,
    embeddedAt: embeddedTimes.latestOf,
    deliveryCounters,
    webBaseUrl,
  });
  const seal = createSeal(secretKey, systemRandom);
  const { view, viewAfter } = views;
  const ingesting = { commands, batches, tokenCounter, contacts, fetchLog, view, viewAfter, clock, log, webBaseUrl };
  const lookUpRepository = createLookUpRepository({
    ...ingesting,
    eventStore: store,
    github: createGithubReader({ http: registry.http, resolver, clock }, options.lookups),
    lookupMemory: await openLookupMemory(ops, clock),
    backfillDays: options.lookups.backfillDays,
  });
  const idempotencyKeys = await createIdempotencyKeys({ ops, clock, ids: systemIds, seal, log });
  const neededChecks = { eventStore: store.head, operationalStore: ops.identity, readModels: view };
  const services: Services = {
    ...ingesting,
    lookUpRepository,
    fetchTurns: await openFetchTurns({ ops, clock, ids: systemIds }),
    wakeFetching: registry.wakeFetching,
    keptLatest: createKeptLatest(systemRunLater),
    search: registry.search,
    searched: createSharedCounts(searchOutcomes),
    keptNeighbours: createKeptNeighbours(),
    targets: createTargetGuard({ resolver, allowPrivate: allowPrivateTargets }),
    signingKeys: await createSigningKeys({ ops, random: systemRandom, seal }),
    newSecrets: await createNewSecrets({ ops, clock, seal }),
    webhookHealths,
    deliveryLog: await openDeliveryLog(ops),
    random: systemRandom,
    registryName: options.registryName ?? defaultRegistryName,
    erased: registry.erased,
    checks: { ...neededChecks, ...registry.checks },
    reference,
    openApi: createOpenApiOnce(allRoutes, [...rootRoutes, ...webRoutes]),
  };
  const rateLimiter = createRateLimiter({
    ...options.rateLimits,
    isCounted: createIsCounted([
      ['', rootRoutes],
      ['/v1', allRoutes],
    ]),
    secretKey,
    requestCounts: await openRequestCounts({ ops, clock, ids: systemIds }),
    clock,
    runLater: systemRunLater,
    log,
  });
  const meteredRoutes = [
    { method: 'GET', path: '/' },
    { method: 'GET', path: referenceFilePath },
    ...allRoutes.map(({ method, path }) => ({ method, path: `/v1${path}` })),
    ...[...rootRoutes, ...webRoutes],
  ];
  const meter = createRequestMeter(meteredRoutes, systemStopwatch, registry.measures.meters.requests.add);
  const { answer, hasRoute } = createApp({
    routes: servesApi ? allRoutes : [],
    rootRoutes: servesApi ? rootRoutes : healthRoutes,
    webRoutes: servesApi ? webRoutes : [],
    services,
    ready,
    authenticator: createAuthenticator({ store, rootApiKey, onTokenUsed: tokenUses.record }),
    rateLimiter,
    clock,
    stopwatch: systemStopwatch,
    idempotencyKeys,
    ids: systemIds,
    waitFor: views.waitFor,
    requireReadModels: foundBuilt.get,
    trustedOrigins,
    log,
    meter,
    ...(onAnswer && { onAnswer }),
  });
  const listener = createListener({
    app: answer,
    hasRoute,
    sendReady: createSendReady({ ready, trustedOrigins, ids: systemIds, clock, meter }),
    rateLimiter,
    trustedOrigins,
    ids: systemIds,
    meter,
    log,
  });
  const { refusals: limited, close } = rateLimiter;
  return { listener, services, neededChecks, meter, cache: ready.counts, limited, close };
}
