import { knownParameters } from '../request/known-parameters.ts';
import type { Route } from '../route.ts';

interface AskedFor {
  readonly params: unknown;
  readonly query: unknown;
  readonly sent: Readonly<Record<string, string>>;
}

/**
 * By what was read of the parameters, so that neither their order nor unknown ones matter. A cursor holds for the parameters as
 * they were sent, so lists that have one are told apart by these; what is read of them follows from them.
 */
export function keyOf(route: Route, { params, query, sent }: AskedFor, isMarkdown: boolean): string {
  const { shape } = route.query;
  const asked = Object.hasOwn(shape, 'cursor') ? Object.entries(knownParameters({ shape }, sent)).sort() : query;
  return JSON.stringify([route.path, isMarkdown, params, asked]);
}
