/** Closes all of them, one after another, whatever becomes of each; the first failure is thrown at the end. */
export async function closeInTurn(closers: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
