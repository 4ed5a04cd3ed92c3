import { cpuSeconds } from './cpu-time.ts';
import { answerTimesMs, withConnectionsTo } from './http-connection.ts';
import { percentile } from './percentile.ts';

const connectionCount = 16;
const rounds = 5;
/** After the first one half of the code of a cold answer still waits for its compiler, which counts as CPU of the server, too. */
export const warmingRounds = 3;

export interface MeasuredServer {
  readonly port: number;
  readonly pid: number;
}

export interface Load {
  readonly path: (turn: number) => string;
  readonly headers: string;
  readonly requests: number;
  /** What may be answered, if not 200 or 304. */
  readonly statuses?: readonly number[];
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Of all threads of the server, for each request. */
export const cpuMicrosEach = ({ port, pid }: MeasuredServer, load: Load): Promise<number> => {
  const { path, headers, requests, statuses } = load;
  return withConnectionsTo({ port, statuses }, connectionCount, async (connections) => {
    const before = cpuSeconds(pid);
    const times = await answerTimesMs(connections, path, (asked) => asked >= requests, headers);
    return ((cpuSeconds(pid) - before) * 1_000_000) / times.length;
  });
};

/** The servers take turns, so that whatever else the machine does meets all alike. */
export async function inTurns(loads: readonly (() => Promise<number>)[]): Promise<number[][]> {
  const costs = loads.map((): number[] => []);
  for (let round = 0; round < warmingRounds; round += 1) for (const load of loads) await load();
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, load] of loads.entries()) costs[index]!.push(await load());
  }
  return costs;
}
