export interface Patience {
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/** Asks again until the condition holds. The bound only ends a test that would hang; nothing is measured by it. */
export async function eventually(
  what: string,
  condition: () => boolean | Promise<boolean>,
  { withinMs = 20_000, everyMs = 5 }: Patience = {},
): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
