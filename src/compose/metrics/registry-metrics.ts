import { allProjections } from '../../../projections/all-projections.ts';
import type { SharedCounts } from '../../concurrency/shared-memory/shared-counts.ts';
import { timingBoundsSeconds } from '../../concurrency/shared-memory/shared-timings.ts';
import { runChecks } from '../../http/health-checks.ts';
import type { RateLimiter } from '../../http/middleware/rate-limit.ts';
import type { ReadyAnswers } from '../../http/ready/ready-answers.ts';
import type { RequestMeter } from '../../http/request-meter.ts';
import type { Services } from '../../http/services.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Metric, Sample } from '../../ports/metrics.ts';
import { appendOutcomes } from '../../runtime/measuring/measured-appends.ts';
import { eventLagSeconds } from '../../runtime/measuring/event-lag.ts';
import { relayedTypes } from '../../runtime/relay/relay-batch.ts';
import { searchedTypes } from '../../runtime/searching/touched-documents.ts';
import type { Registry } from '../registry.ts';
import { readInTime, withinReadTime } from './read-in-time.ts';

export interface RegistryMetricsDeps {
  readonly registry: Pick<Registry, 'measures' | 'eventStore' | 'live'>;
  readonly checks: Services['checks'];
  readonly searched: Pick<Services['searched'], 'read'>;
  readonly meter: Pick<RequestMeter, 'samples'>;
  readonly cache: ReadyAnswers['counts'];
  readonly limited: RateLimiter['refusals'];
  /** How many processes take connections of this port; known to the first of them. */
  readonly httpProcesses?: (() => number) | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

const samplesOf = <Kind extends string>(label: string, counts: Pick<SharedCounts<Kind>, 'read'>): Sample[] =>
  counts.read().map(({ kind, count }) => ({ labels: { [label]: kind }, value: count }));

/**
 * Everything that a process measures of its own work. What it leaves to other processes it has no numbers of: a metric of
 * a role is there where that role runs.
 */
export function registryMetrics(deps: RegistryMetricsDeps): readonly Metric[] {
  const { registry, checks, searched, meter, cache, limited, httpProcesses, clock, log } = deps;
  const { eventStore: store, live, measures } = registry;
  const { meters, roles, relayPosition, searchPosition, isEmbedderReplaced } = measures;
  const inTime = readInTime({ clock, log });
  const checksInTime = Object.fromEntries(
    Object.entries(checks).map(([name, check]) => [name, () => withinReadTime(clock, check)]),
  );
  const lag = (position: number, types: readonly string[]) => eventLagSeconds({ store, clock }, { position, types });

  const requests: Metric = {
    name: 'registry_http_request_duration_seconds',
    help: 'How long answers took, by the pattern of the route and the class of the status.',
    kind: 'histogram',
    boundsSeconds: timingBoundsSeconds,
    read: async () => meter.samples(),
  };
  const readyAnswers: Metric = {
    name: 'registry_cache_answers_total',
    help: 'Public reads by whether their answer was ready (hit), was made and kept (miss) or never is (bypass).',
    kind: 'counter',
    read: async () => {
      const { hits, misses, bypasses } = cache();
      const outcomes = { hit: hits, miss: misses, bypass: bypasses };
      return Object.entries(outcomes).map(([outcome, value]) => ({ labels: { outcome }, value }));
    },
  };
  const cacheBytes: Metric = {
    name: 'registry_cache_bytes',
    help: 'Memory of the answers that are kept ready.',
    kind: 'gauge',
    read: async () => [{ labels: {}, value: cache().bytes }],
  };
  const evictions: Metric = {
    name: 'registry_cache_evictions_total',
    help: 'Answers that were driven out by others before their time.',
    kind: 'counter',
    read: async () => [{ labels: {}, value: cache().evictions }],
  };
  const refusals: Metric = {
    name: 'registry_limited_requests_total',
    help: 'Requests that were one too many, by the policy that they were counted for.',
    kind: 'counter',
    read: async () => Object.entries(limited()).map(([policy, value]) => ({ labels: { policy }, value })),
  };
  const searches: Metric = {
    name: 'registry_searches_total',
    help: 'Searches and looks for what is related, by whether all could be asked for it (whole) or why not.',
    kind: 'counter',
    read: async () => samplesOf('outcome', searched),
  };
  const replacedName = 'registry_embedder_replaced';
  const replaced = (isReplaced: () => Promise<boolean | null>): Metric => ({
    name: replacedName,
    help: '1 while a lesser model embeds queries because the wanted one cannot be started, else 0.',
    kind: 'gauge',
    read: inTime(replacedName, async () => {
      const is = await isReplaced();
      return is === null ? [] : [{ labels: {}, value: is ? 1 : 0 }];
    }),
  });
  const processes = (count: () => number): Metric => ({
    name: 'registry_http_processes',
    help: 'Processes that take the connections of the port, this one among them.',
    kind: 'gauge',
    read: async () => [{ labels: {}, value: count() }],
  });
  const appends: Metric = {
    name: 'registry_append_duration_seconds',
    help: 'How long appends to the event store took.',
    kind: 'histogram',
    boundsSeconds: timingBoundsSeconds,
    read: async () => appendOutcomes.map((outcome, index) => ({ labels: { outcome }, ...meters.appends.read(index) })),
  };
  const parts: Metric = {
    name: 'registry_up',
    help: '1 while a store or a part of the process works, else 0; as /health/ready looks at them.',
    kind: 'gauge',
    read: async () => {
      // Whoever looks at the health finds in the log why one fails.
      const findings = await runChecks(checksInTime, () => undefined);
      return Object.entries(findings.checks).map(([part, outcome]) => ({
        labels: { part },
        value: outcome === 'ok' ? 1 : 0,
      }));
    },
  };
  const projectionLag: Metric = {
    name: 'registry_projection_lag_seconds',
    help: 'For how long the oldest event has waited that a read model has not seen; 0 when it has seen all.',
    kind: 'gauge',
    read: inTime('registry_projection_lag_seconds', async () => {
      const models = await live.current();
      if (models === null) return [];
      return Promise.all(
        allProjections.map(async (projection) => ({
          labels: { projection: projection.name },
          value: await lag(await models.of(projection).checkpoint(), Object.keys(projection.on)),
        })),
      );
    }),
  };
  const lagOfOne = (
    name: string,
    help: string,
    types: readonly string[],
    position: () => Promise<number | null>,
  ): Metric => ({
    name,
    help,
    kind: 'gauge',
    read: inTime(name, async () => {
      const own = await position();
      return own === null ? [] : [{ labels: {}, value: await lag(own, types) }];
    }),
  });
  const deliveries: Metric = {
    name: 'registry_deliveries_total',
    help: 'Attempts to deliver, by their outcome; skipped and given up are those that nothing was sent for.',
    kind: 'counter',
    read: async () => samplesOf('outcome', meters.deliveries),
  };
  const fetches: Metric = {
    name: 'registry_fetches_total',
    help: 'Fetches of sources, by how they ended.',
    kind: 'counter',
    read: async () => samplesOf('outcome', meters.fetches),
  };

  return [
    requests,
    appends,
    parts,
    ...(roles.includes('http') ? [readyAnswers, cacheBytes, evictions, refusals, searches] : []),
    ...(isEmbedderReplaced === null ? [] : [replaced(isEmbedderReplaced)]),
    ...(roles.includes('http') && httpProcesses !== undefined ? [processes(httpProcesses)] : []),
    ...(roles.includes('projector') ? [projectionLag] : []),
    ...(relayPosition === null
      ? []
      : [
          lagOfOne(
            'registry_relay_lag_seconds',
            'For how long the oldest event has waited that the relay has not published; told by the process that relays.',
            relayedTypes,
            relayPosition,
          ),
        ]),
    ...(searchPosition === null
      ? []
      : [
          lagOfOne(
            'registry_search_lag_seconds',
            'For how long the oldest event has waited that the search index has not seen; told by the process that feeds it.',
            searchedTypes,
            searchPosition,
          ),
        ]),
    ...(roles.includes('deliverer') ? [deliveries] : []),
    ...(roles.includes('fetcher') ? [fetches] : []),
  ];
}
