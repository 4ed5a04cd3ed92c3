import { inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import type { Figure } from './bench-report.ts';
import { answerTimesMs, withConnections } from './worlds/http-connection.ts';
import { fillAll } from './worlds/filled-registry.ts';
import { percentile } from './worlds/percentile.ts';
import { residentMiB } from './worlds/resident-memory.ts';
import { besideCommand, buildRegistry, type ServedRegistry, withServed } from './worlds/served-registry.ts';

const orgCount = 100;
const starts = 3;
const readsBeforeMemory = 2_000;
const readers = 2;
const quietSeconds = 8;
/** A rebuild that takes longer has said enough. */
const rebuildSecondsMax = 120;

const latestPath = '/v1/releases/latest';
const orgPath = (number: number): string => `/v1/orgs/org-${number % orgCount}/releases`;

const median = (values: readonly number[]): number => percentile(values, 0.5);

const fill = (dataDir: string, releases: number): Promise<void> =>
  fillAll({ dataDir }, { orgs: orgCount, sourcesPerOrg: 5, releases, bodyChars: 300, emit: false });

async function startFigure(dataDir: string, releases: number): Promise<Figure> {
  const times: number[] = [];
  for (let start = 0; start < starts; start += 1) {
    times.push(await withServed(dataDir, ({ startSeconds }) => Promise.resolve(startSeconds)));
  }
  const metric = `start until ready, ${releases} releases, median of ${starts}`;
  return { metric, value: median(times), unit: 's', atMost: 3 };
}

const memoryFigure = ({ port, pid }: ServedRegistry): Promise<Figure> =>
  withConnections(port, readers, async (connections) => {
    const pathOf = (number: number) => (number % 2 === 0 ? latestPath : orgPath(number));
    await answerTimesMs(connections, pathOf, (asked) => asked >= readsBeforeMemory);
    return { metric: `memory after ${readsBeforeMemory} reads`, value: residentMiB(pid), unit: 'MiB', atMost: 600 };
  });

const rebuildFigures = (dataDir: string, { port }: ServedRegistry): Promise<Figure[]> =>
  withConnections(port, readers, async (connections) => {
    const quietMs = performance.now();
    const quiet = await answerTimesMs(connections, orgPath, () => secondsSince(quietMs) >= quietSeconds);
    const rebuildMs = performance.now();
    const beside = await besideCommand(dataDir, ['rebuild', 'release-feed'], async (exited) => {
      let isRunning = true;
      void exited.then(() => {
        isRunning = false;
      });
      const isOver = () => !isRunning || secondsSince(rebuildMs) >= rebuildSecondsMax;
      const times = await answerTimesMs(connections, orgPath, isOver);
      if (isRunning) throw new Error(`the rebuild took longer than ${rebuildSecondsMax} s`);
      const code = await exited;
      if (code !== 0) throw new Error(`the rebuild ended with ${code}`);
      return times;
    });
    const rebuildSeconds = secondsSince(rebuildMs);
    const [quietP95, besideP95] = [percentile(quiet, 0.95), percentile(beside, 0.95)];
    return [
      { metric: `org feed, ${readers} readers, p95`, value: quietP95, unit: 'ms' },
      { metric: 'the same while release-feed is rebuilt, p95', value: besideP95, unit: 'ms' },
      { metric: 'p95 beside the rebuild to the quiet one', value: besideP95 / quietP95, unit: 'x', atMost: 3 },
      { metric: 'the rebuild with readers', value: rebuildSeconds, unit: 's' },
    ];
  });

/** The service with a registry that has lived for a while, asked from another process on the same machine. */
export const runHttpRead = ({ releases = 200_000 }: { readonly releases?: number | undefined }): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    await fill(dataDir, releases);
    await buildRegistry(dataDir);
    const start = await startFigure(dataDir, releases);
    return withServed(dataDir, async (served) => [
      start,
      await memoryFigure(served),
      ...(await rebuildFigures(dataDir, served)),
    ]);
  });
