import { allProjections } from '../../projections/all-projections.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { systemResolver } from '../adapters/system/resolver.ts';
import { createSourceFetchers } from '../compose/source-fetchers.ts';
import { openRegistry } from '../compose/registry.ts';
import { createFetchServices } from '../compose/start-fetching.ts';
import { storesOf } from '../config/backend-settings.ts';
import { fetchSettingsOf } from '../config/fetch-settings.ts';
import { baseUrlOf } from '../config/settings.ts';
import { StartupError } from '../kernel/startup-error.ts';
import type { FetchReport } from '../use-cases/fetching/end-fetch.ts';
import { fetchSource, type FoundReleases } from '../use-cases/fetching/fetch-source.ts';
import { findNamedSource } from '../use-cases/named-source.ts';
import { type RunCommand, UsageError } from './cli-command.ts';
import { stopSignal } from './stop-signals.ts';
import { tableOf } from './table.ts';

const resultWords = {
  inserted: 'is new',
  revised: 'is revised',
  unchanged: 'is known',
  withdrawn: 'stays withdrawn',
} as const;

const titleCharsMax = 60;
/** Long enough for a slow machine. */
const readModelsWaitMs = 60_000;

const rowsOf = ({ items, results }: FoundReleases) =>
  items.map(({ version, publishedAt, title }, index) => ({
    version: version ?? null,
    publishedAt: publishedAt ?? null,
    title,
    result: results[index]!.result,
  }));

const leftOutOf = ({ leftOut }: FoundReleases) => leftOut;

function foundTable(found: FoundReleases): string {
  const rows = rowsOf(found).map(({ version, publishedAt, title, result }) => [
    version ?? '-',
    publishedAt?.slice(0, 10) ?? '-',
    title.length > titleCharsMax ? `${title.slice(0, titleCharsMax - 1)}…` : title,
    resultWords[result],
  ]);
  const left = found.leftOut.map(({ entry, reason }) => `left out: ${entry}: ${reason}`);
  return [tableOf(['VERSION', 'DATE', 'TITLE', 'WHAT HAPPENS'], rows), ...left].join('\n');
}

const reportSentence = ({ status, releasesFound, releasesInserted, releasesRevised, error }: FetchReport): string => {
  if (error !== null) return `${status}: ${error}`;
  if (status === 'dry_run') return `dry_run: ${releasesFound} releases found, nothing stored`;
  return `${status}: ${releasesFound} releases found, ${releasesInserted} inserted, ${releasesRevised} revised`;
};

const failures: ReadonlySet<string> = new Set(['error', 'blocked', 'timeout', 'skipped']);

export const runFetch: RunCommand = async ({ config, words, flags, json, print }) => {
  const [name] = words;
  if (name === undefined || words.length > 1)
    throw new UsageError('Name one source: its id, <org>/<source> or its slug.');
  const settings = fetchSettingsOf(config);
  // Else its turn would be nobody's for two minutes.
  const stop = stopSignal();
  let died: Error | undefined;
  // Who fetches once does no other work of a registry; read models are fed so that releases can be counted.
  const registry = await openRegistry({
    ...storesOf(config),
    roles: ['projector'],
    logLevel: config.LOG_LEVEL,
    webBaseUrl: baseUrlOf(config, config.PORT),
    onFatal: (error) => {
      died = error;
    },
  });
  try {
    const sourceId = await findNamedSource(registry.eventStore, name);
    if (sourceId === null) throw new StartupError(`There is no source ${name}.`);
    const head = await registry.eventStore.head();
    if (!(await registry.live.waitFor(allProjections, head, readModelsWaitMs))) {
      throw new StartupError('The read models are still being filled; try again in a while.');
    }
    const deps = { http: registry.http, resolver: systemResolver, clock: systemClock };
    const parts = { ...registry, clock: systemClock, random: systemRandom, webBaseUrl: baseUrlOf(config, config.PORT) };
    const services = await createFetchServices({ ...parts, fetchers: createSourceFetchers(deps, settings) }, settings);
    const wish = { sourceId, force: flags['force'] === true, dryRun: flags['dry-run'] === true };
    const taken = await services.turns.takeNow(wish);
    if (taken === null) throw new StartupError('A fetch of this source is running; wait for it.');
    let found: FoundReleases | null = null;
    const onFound = (told: FoundReleases) => {
      found = told;
      if (!json) print(foundTable(told));
    };
    const report = await fetchSource(services, taken, { onFound, stop });
    if (report === null && stop.aborted) throw new StartupError('The fetch was broken off; nothing of it was stored.');
    if (report === null) throw new StartupError('Another process has taken the fetch over.');
    const [releases, leftOut] = found === null ? [[], []] : [rowsOf(found), leftOutOf(found)];
    if (json) print(JSON.stringify({ sourceId, ...report, releases, leftOut }));
    else print(reportSentence(report));
    return failures.has(report.status) ? 1 : 0;
  } catch (error) {
    throw died ?? error;
  } finally {
    await registry.close();
  }
};
