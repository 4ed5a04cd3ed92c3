import { BackendUnavailable } from '../kernel/backend-unavailable.ts';

interface Asked<Key, Answer> {
  readonly key: Key;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Many who ask for one thing each at about the same time are answered by one call: what is asked while a call is under
 * way gathers for the next. Every call begins after all that it answers was asked for, so nobody gets an older answer
 * than from a call of their own.
 */
export function createBatchedCalls<Key, Answer>(
  /** One answer for each key, in their order. */
  ask: (keys: readonly Key[]) => Promise<readonly Answer[]>,
  keysMax: number,
  /** Waited for before each call; whoever asks meanwhile comes along. At least whoever asks in the same turn. */
  gather: () => Promise<void> = () => Promise.resolve(),
): (key: Key) => Promise<Answer> {
  let gathered: Asked<Key, Answer>[] = [];
  let isAsking = false;

  async function answer(asked: readonly Asked<Key, Answer>[]): Promise<void> {
    try {
      const answers = await ask(asked.map(({ key }) => key));
      for (const [index, { resolve }] of asked.entries()) resolve(answers[index]!);
    } catch (error) {
      // Where the back end answers, one key may be at fault, and the others must not fail with it.
      if (asked.length > 1 && !(error instanceof BackendUnavailable)) for (const one of asked) await answer([one]);
      else for (const { reject } of asked) reject(error);
    }
  }

  async function askForAll(): Promise<void> {
    isAsking = true;
    while (gathered.length > 0) {
      await gather();
      const asked = gathered.slice(0, keysMax);
      gathered = gathered.slice(keysMax);
      await answer(asked);
    }
    isAsking = false;
  }

  return (key) =>
    new Promise((resolve, reject) => {
      gathered.push({ key, resolve, reject });
      if (!isAsking) void askForAll();
    });
}

/** The same where a call finds some of the keys, each at most once, in whatever order. */
export const createBatchedFinds = <Found>(
  find: (keys: readonly string[]) => Promise<readonly Found[]>,
  keyOf: (found: Found) => string,
  keysMax: number,
): ((key: string) => Promise<Found | null>) =>
  createBatchedCalls(async (keys) => {
    const found = new Map((await find([...new Set(keys)])).map((each) => [keyOf(each), each]));
    return keys.map((key) => found.get(key) ?? null);
  }, keysMax);
