import { EmbedderUnavailable, type EmbedOptions } from '../../ports/embedder.ts';

/** Somebody waits for a query; a search without it is better than one that comes late. */
export const queryMsMax = 5_000;

/** Ends with the caller's signal, and a query after its time, whatever the work still waits for. */
export async function inTime<Result>(
  { isQuery = false, signal }: EmbedOptions,
  queryMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const over = new AbortController();
  const forward = () => over.abort(signal?.reason);
  signal?.addEventListener('abort', forward);
  const late = () => over.abort(new EmbedderUnavailable(`A query was not embedded within ${queryMs} ms.`));
  const timer = isQuery ? setTimeout(late, queryMs) : undefined;
  const ended = new Promise<never>((_, reject) => {
    over.signal.addEventListener('abort', () => reject(over.signal.reason));
  });
  try {
    return await Promise.race([work(over.signal), ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', forward);
  }
}
