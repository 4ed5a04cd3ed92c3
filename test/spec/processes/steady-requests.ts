/** What one of many requests was told; null is the status of one that met nobody. */
export interface SeenAnswer {
  readonly path: string;
  readonly status: number | null;
  /** To tell which of two came first. */
  readonly endedMs: number;
}

export interface SteadyRequests {
  readonly seen: readonly SeenAnswer[];
  /** Resolves when every path was asked for once more, from now on. */
  readonly anotherRound: () => Promise<void>;
  /** Throws what kept it from asking. */
  readonly stop: () => Promise<void>;
}

async function ask(url: string, path: string): Promise<SeenAnswer> {
  try {
    const response = await fetch(url + path);
    await response.arrayBuffer();
    return { path, status: response.status, endedMs: performance.now() };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // fetch tells a connection that is refused or lost by a TypeError
    return { path, status: null, endedMs: performance.now() };
  }
}

/** Asks a service for these paths, one after the other and round after round, until it is told to stop. */
export function startSteadyRequests(url: string, paths: readonly string[]): SteadyRequests {
  const seen: SeenAnswer[] = [];
  const waiting: { rounds: number; resolve: () => void }[] = [];
  let isStopped = false;
  const endRound = (): void => {
    for (const one of waiting) one.rounds -= 1;
    for (const { resolve } of waiting.filter(({ rounds }) => rounds <= 0)) resolve();
  };
  const asking = (async () => {
    while (!isStopped) {
      for (const path of paths) seen.push(await ask(url, path));
      endRound();
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  })();
  return {
    seen,
    // The round in hand may have begun before.
    anotherRound: () =>
      Promise.race([new Promise<void>((resolve) => void waiting.push({ rounds: 2, resolve })), asking]),
    stop: async () => {
      isStopped = true;
      await asking;
    },
  };
}
