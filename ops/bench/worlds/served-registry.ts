import { setTimeout as sleep } from 'node:timers/promises';
import { secondsSince } from './bench-folder.ts';
import { withChild } from './bench-child.ts';

const benchRootKey = 'root-key-of-the-benches';

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

const commandLine = (dataDir: string, words: readonly string[]): string[] => [
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
): Promise<Result> => withChild(commandLine(dataDir, words), {}, ({ exited }) => work(exited));

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

/** The service as users start it, in a process of its own. */
export function withServed<Result>(
  dataDir: string,
  work: (served: ServedRegistry) => Promise<Result>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const startedMs = performance.now();
  const line = commandLine(dataDir, ['serve', '--no-demo', '--port', '0']);
  return withChild(line, { ROOT_API_KEY: benchRootKey, ...settings }, async ({ pid, firstLine }) => {
    const { url } = JSON.parse(await firstLine) as { url: string };
    await untilReady(url, startedMs);
    return work({ url, port: Number(new URL(url).port), pid, startSeconds: secondsSince(startedMs) });
  });
}

/** What the service answers to a body in JSON; anything but success is an error. */
export async function post(
  { url }: Pick<ServedRegistry, 'url'>,
  path: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${benchRootKey}`, 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}
