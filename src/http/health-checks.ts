import { BackendUnavailable } from '../kernel/backend-unavailable.ts';
import type { Services } from './services.ts';

export interface Findings {
  readonly checks: Readonly<Record<string, 'ok' | 'fail'>>;
  /** The servers that cannot be reached. */
  readonly unreachable: readonly string[];
}

/** All of them at once. Why one failed is for the log; the caller learns which, and which server is away. */
export async function runChecks(
  checks: Services['checks'],
  onFailure: (check: string, error: unknown) => void,
): Promise<Findings> {
  const unreachable = new Set<string>();
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await check();
        return [name, 'ok'] as const;
      } catch (error) {
        onFailure(name, error);
        if (error instanceof BackendUnavailable) unreachable.add(error.backend);
        return [name, 'fail'] as const;
      }
    }),
  );
  return { checks: Object.fromEntries(outcomes), unreachable: [...unreachable] };
}
