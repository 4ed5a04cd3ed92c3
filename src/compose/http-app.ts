import type Koa from 'koa';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { systemResolver } from '../adapters/system/resolver.ts';
import { systemRunLater } from '../adapters/system/run-later.ts';
import type { Registry } from './registry.ts';
import type { LookupSettings } from '../config/lookup-settings.ts';
import { defaultRegistryName } from '../config/settings.ts';
import { createTargetGuard } from '../delivery/target-guard.ts';
import { createApp } from '../http/app.ts';
import { createAuthenticator } from '../http/authenticate.ts';
import { createFetchLog } from '../records/fetch-log.ts';
import { openFetchTurns } from '../records/fetching/fetch-turns.ts';
import { createIdempotencyKeys } from '../records/idempotency-keys.ts';
import { createOpenApiOnce } from '../http/openapi/openapi.ts';
import { createReadViews } from '../http/read-view.ts';
import { allRoutes, rootRoutes } from '../http/routes/all-routes.ts';
import { healthRoutes } from '../http/routes/self-description.ts';
import { webRoutes } from '../http/routes/web/web-pages.ts';
import type { RouteRunnerDeps } from '../http/run-route.ts';
import type { Services } from '../http/services.ts';
import { createKeptLatest } from '../../queries/releases/kept-latest.ts';
import { createSourceContacts } from '../records/source-contacts.ts';
import { createTokenUses } from '../records/token-uses.ts';
import type { Resolver } from '../ports/resolver.ts';
import { openDeliveryLog } from '../records/delivery/delivery-log.ts';
import { createNewSecrets } from '../records/new-secrets.ts';
import { createSeal } from '../records/seal.ts';
import { openLookupMemory } from '../records/lookup-memory.ts';
import { createSigningKeys } from '../records/signing-keys.ts';
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
  /** Looks up the hosts of webhooks; the system's own unless another is given. */
  readonly resolver?: Resolver;
  readonly onAnswer?: RouteRunnerDeps['onAnswer'];
}

export interface HttpApp {
  readonly app: Koa;
  readonly services: Services;
}

/** The HTTP side of a registry: everything a request meets, short of the server itself. */
export async function createHttpApp(registry: Registry, options: HttpOptions): Promise<HttpApp> {
  const { commands, batches, tokenCounter, live, log, ops, eventStore: store } = registry;
  const { rootApiKey, secretKey, webBaseUrl, trustedOrigins, servesApi = true, onAnswer } = options;
  const { allowPrivateTargets = false, resolver = systemResolver } = options;
  const clock = systemClock;
  const contacts = await createSourceContacts(ops, clock);
  const fetchLog = await createFetchLog(ops);
  const tokenUses = await createTokenUses(ops, log);
  const webhookHealths = await openWebhookHealths(ops);
  const deliveryCounters = webhookHealths.getMany;
  const views = createReadViews({
    live,
    catalogues: registry.catalogues,
    stamp: registry.projectedStamp,
    clock,
    streams: store,
    fetchStates: contacts.states,
    lastFetches: contacts.lastFetches,
    newestFetches: fetchLog.newest,
    lastUses: tokenUses.lastUses,
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
  const services: Services = {
    ...ingesting,
    lookUpRepository,
    fetchTurns: await openFetchTurns({ ops, clock, ids: systemIds }),
    wakeFetching: registry.wakeFetching,
    keptLatest: createKeptLatest(systemRunLater),
    targets: createTargetGuard({ resolver, allowPrivate: allowPrivateTargets }),
    signingKeys: await createSigningKeys({ ops, random: systemRandom, seal }),
    newSecrets: await createNewSecrets({ ops, clock, seal }),
    webhookHealths,
    deliveryLog: await openDeliveryLog(ops),
    random: systemRandom,
    registryName: options.registryName ?? defaultRegistryName,
    erased: registry.erased,
    checks: { eventStore: store.head, operationalStore: ops.identity, readModels: view, ...registry.checks },
    openApi: createOpenApiOnce(allRoutes, [...rootRoutes, ...webRoutes]),
  };
  const app = createApp({
    routes: servesApi ? allRoutes : [],
    rootRoutes: servesApi ? rootRoutes : healthRoutes,
    webRoutes: servesApi ? webRoutes : [],
    services,
    authenticator: createAuthenticator({ store, rootApiKey, onTokenUsed: tokenUses.record }),
    idempotencyKeys,
    ids: systemIds,
    waitFor: views.waitFor,
    requireReadModels: async () => void (await live.current()),
    trustedOrigins,
    log,
    ...(onAnswer && { onAnswer }),
  });
  return { app, services };
}
