import { EndpointFailed } from '../../openai/endpoint-failed.ts';
import type { PostOptions } from '../../openai/post-json.ts';

export type Manner = Pick<PostOptions, 'waitsMs' | 'timeoutMs' | 'retriesTimeouts' | 'signal'>;
/** One vector for each text, or EndpointFailed. */
export type EmbedBatch = (texts: readonly string[], manner: Manner) => Promise<(readonly number[])[]>;

/** Any endpoint embeds it, if it embeds anything. */
export const plainText = 'release notes';

/** What is said of texts and not of us: one of them is too long, or all of them together are too many. */
const textStatuses: ReadonlySet<number | null> = new Set([400, 413, 422]);

export const areTextsRefused = (error: unknown): boolean =>
  error instanceof EndpointFailed && error.reason === 'refused' && textStatuses.has(error.status);

const isTimeout = (error: unknown): boolean => error instanceof EndpointFailed && error.reason === 'timeout';

/**
 * Null for a text that is refused though it stands alone: the others of its batch must not go without vectors because of it,
 * and it need not be tried again. Where the plainest text is refused, too, it is not the texts: that is thrown. Where
 * many take too long, fewer are asked for from then on, and one more after each answer: a slow endpoint gets there, too.
 */
export const createEmbedAccepted = (embedBatch: EmbedBatch) => {
  let atOnce = Number.POSITIVE_INFINITY;

  return async (texts: readonly string[], manner: Manner): Promise<(readonly number[] | null)[]> => {
    let hasAccepted = false;

    const embedHalves = async (some: readonly string[]): Promise<(readonly number[] | null)[]> => {
      const half = Math.ceil(some.length / 2);
      return [...(await embedSome(some.slice(0, half))), ...(await embedSome(some.slice(half)))];
    };

    const embedSome = async (some: readonly string[]): Promise<(readonly number[] | null)[]> => {
      const areMany = some.length > 1;
      if (areMany && some.length > atOnce) return embedHalves(some);
      try {
        const vectors = await embedBatch(some, areMany ? { ...manner, retriesTimeouts: false } : manner);
        hasAccepted = true;
        atOnce += 1;
        return vectors;
      } catch (error) {
        const isTooMuch = areMany && isTimeout(error);
        if (isTooMuch) atOnce = Math.ceil(some.length / 2);
        else if (!areTextsRefused(error)) throw error;
      }
      if (areMany) return embedHalves(some);
      if (!hasAccepted) await embedBatch([plainText], manner);
      hasAccepted = true;
      return [null];
    };

    return embedSome(texts);
  };
};
