import { connectRaw } from '../../adapters/node-http/raw-client.ts';
import { eventually } from '../eventually.ts';
import { launchRegistry, type ServedRegistry, untilServed } from './registry-process.ts';

export const rootKey = 'a-root-key-for-this-test-only';

export interface FurtherProcess {
  readonly processId: number;
  readonly metricsUrl: string;
}

interface LogLine extends Partial<FurtherProcess> {
  readonly msg: string;
}

export const linesOf = ({ stderr }: ServedRegistry, msg: string): LogLine[] =>
  stderr()
    .split('\n')
    .slice(0, -1) // the last one may be on its way
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []))
    .filter((line) => line.msg === msg);

/** The further processes that have become ready so far, one after the other. */
export const furtherOf = (served: ServedRegistry) =>
  linesOf(served, 'a further process answers requests') as (LogLine & FurtherProcess)[];

export async function serveWithTwo(
  dataDir: string,
  servers: Readonly<Record<string, string>> = {},
): Promise<{ served: ServedRegistry; further: FurtherProcess }> {
  const settings = { ROOT_API_KEY: rootKey, HTTP_THREADS: '2', METRICS_PORT: '0', LOG_LEVEL: 'info', ...servers };
  const served = await untilServed(launchRegistry(dataDir, ['--no-demo'], settings));
  await eventually('the second process is ready', () => furtherOf(served).length > 0, { withinMs: 60_000 });
  return { served, further: furtherOf(served)[0]! };
}

interface Answer {
  readonly received: () => string;
}

/** On a connection of its own, so that it is the next process's turn. */
export function send({ port }: ServedRegistry, head: string, body = ''): Answer {
  const client = connectRaw(port);
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  client.send(`${head}\r\nHost: a\r\nConnection: close\r\n${length}\r\n${body}`);
  return client;
}

export const list = (served: ServedRegistry): Answer => send(served, 'GET /v1/orgs HTTP/1.1');

export const isAnswered = ({ received }: Answer): boolean => /^HTTP\/1\.1 20[01] [\s\S]*\}$/.test(received());

export async function answerTo(answer: Answer): Promise<string> {
  await eventually('it is answered', () => isAnswered(answer), { withinMs: 60_000 });
  return answer.received();
}

const listed = /^registry_http_request_duration_seconds_count\{method="GET",route="\/v1\/orgs",status="2xx"\} (\d+)$/m;

export const listedBy = async (metricsUrl: string): Promise<number> =>
  Number(listed.exec(await (await fetch(metricsUrl)).text())?.[1] ?? 0);
