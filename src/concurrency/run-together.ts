/** A piece of work that ends by itself or when it is told that it is over. */
export type Part = (over: AbortSignal) => Promise<void>;

/**
 * Runs parts that make no sense without each other. When one of them ends, for whatever reason, so do the others, and
 * none is left behind. Throws what ended them, if it was a failure.
 */
export async function runTogether(stop: AbortSignal, parts: readonly Part[]): Promise<void> {
  const ended = new AbortController();
  const over = AbortSignal.any([stop, ended.signal]);
  let failure: { readonly error: unknown } | undefined;
  const run = async (part: Part): Promise<void> => {
    try {
      await part(over);
    } catch (error) {
      failure ??= { error };
    } finally {
      ended.abort('over'); // the reason that it would make for itself has a stack, which takes longer than all else here
    }
  };
  await Promise.all(parts.map(run));
  if (failure !== undefined) throw failure.error;
}
