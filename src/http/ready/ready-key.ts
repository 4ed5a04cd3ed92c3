import { knownParameters } from '../request/known-parameters.ts';
import type { Route } from '../route.ts';

interface AskedFor {
  readonly params: unknown;
  readonly query: unknown;
  readonly sent: Readonly<Record<string, string>>;
}

/**
 * The same for requests that get the same answer, whatever the order of their parameters and with any unknown ones: by what was
 * read of them. A cursor holds for the parameters as they were sent, so lists that have one are told apart by these, of which
 * all else follows.
 */
export function keyOf(route: Route, { params, query, sent }: AskedFor, isMarkdown: boolean): string {
  const { shape } = route.query;
  const asked = Object.hasOwn(shape, 'cursor') ? Object.entries(knownParameters({ shape }, sent)).sort() : query;
  return JSON.stringify([route.path, isMarkdown, params, asked]);
}
