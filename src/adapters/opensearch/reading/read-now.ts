import type { OpenSearchConnection } from '../connection.ts';
import { explainedRefusal, refusalOf } from '../failures.ts';

export interface ReadNow {
  /** For messages. */
  readonly what: string;
  /** Which fields of them, as the server calls it. */
  readonly fields: Readonly<Record<string, string>>;
  readonly wanted: readonly { readonly index: string; readonly id: string }[];
}

/** The parts of such an answer have no status: an index is gone, or no copy of it is at hand. */
const partError = (what: string, error: unknown): Error => {
  const isGone = refusalOf(404, error).type === 'index_not_found_exception';
  return explainedRefusal(what, refusalOf(isGone ? 404 : 503, error));
};

/** Documents as they are now, whether they can be found yet or not; one for each that was wanted. */
export async function readNow<Doc>(
  connection: OpenSearchConnection,
  { what, fields, wanted }: ReadNow,
): Promise<(Doc | undefined)[]> {
  if (wanted.length === 0) return [];
  const { body } = await connection.ask<{
    readonly docs: readonly { readonly _source?: Doc; readonly error?: unknown }[];
  }>({
    what,
    method: 'POST',
    path: '/_mget',
    query: fields,
    body: { docs: wanted.map(({ index, id }) => ({ _index: index, _id: id })) },
  });
  const failed = body.docs.find(({ error }) => error !== undefined);
  if (failed !== undefined) throw partError(what, failed.error);
  return body.docs.map(({ _source: doc }) => doc);
}
