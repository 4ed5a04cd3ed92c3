import { StartupError } from '../kernel/startup-error.ts';
import type { Config } from './settings.ts';

const portMax = 65_535;

/** Where one of the processes that answer requests tells its metrics, numbered from 0. */
export const metricsPortOf = ({ METRICS_PORT: first }: Config, number: number): number | undefined =>
  first === undefined || first === 0 ? first : first + number;

/** Throws a sentence where the settings, each good in itself, leave nothing for further processes to do or no port for them. */
export function assertHttpThreads(config: Config): void {
  const { HTTP_THREADS: threads, ROLES: roles, METRICS_PORT: metricsPort, PORT: port } = config;
  if (threads === 1) return;
  if (!roles.includes('http')) {
    throw new StartupError(
      `HTTP_THREADS is ${threads}, but ROLES (--roles) is ${roles.join(',')}: only http has requests to share out.`,
    );
  }
  const last = metricsPortOf(config, threads - 1);
  if (metricsPort === undefined || last === undefined || metricsPort === 0) return;
  if (last > portMax || (metricsPort <= port && port <= last)) {
    throw new StartupError(
      `With ${threads} HTTP_THREADS the metrics take the ports from METRICS_PORT on, ${metricsPort} to ${last}; they must be below ${portMax + 1} and none of them PORT (--port), ${port}.`,
    );
  }
}
