import { setTimeout as sleep } from 'node:timers/promises';
import { secondsSince } from './bench-folder.ts';
import { cpuSeconds } from './cpu-time.ts';
import { type BenchChild, type StartedChild, startChild, withChild } from './bench-child.ts';

const benchRootKey = 'root-key-of-the-benches';

export const rootHeaders = { Authorization: `Bearer ${benchRootKey}`, 'Content-Type': 'application/json' };

const readyTimeoutSeconds = 60;
const requestTimeoutMs = 60_000;
const pollMs = 5;

export interface ServedRegistry {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** From the start of the process until it says that it is ready to serve. */
  readonly startSeconds: number;
}

export const commandLine = (dataDir: string, words: readonly string[]): string[] => [
  'ops/run-built.mjs',
  ...words,
  '--json',
  '--data',
  dataDir,
];

/** Runs a command of the compiled command line beside the work, which may wait for its end. */
export const besideCommand = <Result>(
  dataDir: string,
  words: readonly string[],
  work: (exited: Promise<number | null>) => Promise<Result>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Result> => withChild(commandLine(dataDir, words), settings, ({ exited }) => work(exited));

/** Lets the compiler run where something changed, so that no start is measured with it. */
export const buildRegistry = (dataDir: string): Promise<void> =>
  besideCommand(dataDir, ['projections'], async (exited) => {
    if ((await exited) !== 0) throw new Error('the registry cannot be built or opened');
  });

async function untilReady(url: string, startedMs: number): Promise<void> {
  while ((await fetch(`${url}/health/ready`)).status !== 200) {
    if (secondsSince(startedMs) > readyTimeoutSeconds) throw new Error('the service does not become ready');
    await sleep(pollMs);
  }
}

const serveLine = (dataDir: string): string[] => commandLine(dataDir, ['serve', '--no-demo', '--port', '0']);

/** A benchmark sends more than a client may. */
const ownSettings = { ROOT_API_KEY: benchRootKey, RATE_LIMIT_ANONYMOUS: '100000000' };

/** Whoever keeps records on a server is asked for a key of his own. */
export const mongodbSettings = (url: string) => ({ MONGODB_URL: url, SECRET_KEY: '07'.repeat(32) });

async function readyUrl({ firstLine }: Pick<BenchChild, 'firstLine'>, startedMs: number): Promise<string> {
  const { url } = JSON.parse(await firstLine) as { url: string };
  await untilReady(url, startedMs);
  return url;
}

/** The service as users start it, in a process of its own. */
export function withServed<Result>(
  dataDir: string,
  work: (served: ServedRegistry) => Promise<Result>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const startedMs = performance.now();
  return withChild(serveLine(dataDir), { ...ownSettings, ...settings }, async (child) => {
    const url = await readyUrl(child, startedMs);
    return work({ url, port: Number(new URL(url).port), pid: child.pid, startSeconds: secondsSince(startedMs) });
  });
}

/** The same, ready, and running until somebody ends it. */
export async function startServed(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<StartedChild & { readonly url: string }> {
  const child = await startChild(serveLine(dataDir), { ...ownSettings, ...settings });
  return { ...child, url: await readyUrl(child, performance.now()) };
}

const indexedSecondsMax = 600;

/** A first start indexes what is there for a while, which is not what a service does from then on. */
export async function untilIndexed({ url }: Pick<ServedRegistry, 'url'>): Promise<void> {
  const headers = rootHeaders;
  const body = JSON.stringify({ name: 'The last one to be indexed' });
  const written = await fetch(`${url}/v1/orgs`, { method: 'POST', headers, body });
  const position = written.headers.get('X-Service-Position');
  if (position === null) throw new Error(`an org could not be created: ${await written.text()}`);
  const startedMs = performance.now();
  const isBehind = async (): Promise<boolean> =>
    (await fetch(`${url}/v1/search?q=last`, { headers: { 'X-Service-Min-Position': position } })).status === 503;
  while (await isBehind()) {
    if (secondsSince(startedMs) > indexedSecondsMax) throw new Error('the search index does not come to its end');
  }
}

const quietSecondsMax = 900;
const quietShare = 0.1;

/** Until it has nothing left to do: a first start fills indexes and vectors for a while. */
export async function untilQuiet({ pid }: Pick<ServedRegistry, 'pid'>): Promise<void> {
  const startedMs = performance.now();
  for (let before = cpuSeconds(pid); ; ) {
    await sleep(1_000);
    const now = cpuSeconds(pid);
    if (now - before < quietShare) return;
    if (secondsSince(startedMs) > quietSecondsMax) throw new Error('the service does not come to rest');
    before = now;
  }
}

type Send = (served: Pick<ServedRegistry, 'url'>, path: string, body: unknown) => Promise<Record<string, unknown>>;

/** What the service answers to a body in JSON; anything but success is an error. */
const sendBy =
  (method: string): Send =>
  async ({ url }, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: rootHeaders,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };

export const post = sendBy('POST');
export const put = sendBy('PUT');

/** Anything but success is an error. */
export async function remove({ url }: Pick<ServedRegistry, 'url'>, path: string): Promise<void> {
  const response = await fetch(url + path, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${benchRootKey}` },
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
}
