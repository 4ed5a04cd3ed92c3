import { knownParameters } from '../request/known-parameters.ts';
import type { Route } from '../route.ts';

interface AskedFor {
  readonly params: unknown;
  readonly query: unknown;
  readonly sent: Readonly<Record<string, string>>;
}

/**
 * The same for requests that get the same answer: by what was read of the parameters, so that neither their order nor
 * unknown ones matter. A cursor holds for the parameters as they were sent, so lists that have one are told apart by these.
 */
export function keyOf(route: Route, { params, query, sent }: AskedFor, isMarkdown: boolean): string {
  const { shape } = route.query;
  const known = Object.hasOwn(shape, 'cursor') ? Object.entries(knownParameters({ shape }, sent)).sort() : [];
  return JSON.stringify([route.path, isMarkdown, params, query, known]);
}
