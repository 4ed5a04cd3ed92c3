import type { OpenSearchConnection } from './connection.ts';
import { explainedRefusal, RefusedByOpenSearch, refusalOf } from './failures.ts';

/** One line that says what to do with which document, and one with the document, unless it is deleted. */
export type BulkPart = readonly [action: string] | readonly [action: string, doc: string];

interface BulkItem {
  readonly status: number;
  readonly error?: unknown;
}

interface BulkAnswer {
  readonly errors: boolean;
  readonly items: readonly Readonly<Record<string, BulkItem>>[];
}

/** So much the server works through in seconds, vectors included: of what takes longer nobody would know how it ended. */
const pieceMax = { parts: 250, chars: 2 * 1024 * 1024 };
/** Of one request: some ten times what the largest piece takes on a busy machine. */
export const bulkMsMax = 10_000;
const bodyTooLarge = 413;
const what = 'write documents of the search index';

const charsOf = (part: BulkPart): number => part.reduce((sum, line) => sum + line.length, 0);

/** In pieces that a server takes, each with at least one part. */
export function* bulkPieces(parts: readonly BulkPart[]): Generator<BulkPart[]> {
  let piece: BulkPart[] = [];
  let chars = 0;
  for (const part of parts) {
    const isFull = piece.length === pieceMax.parts || chars + charsOf(part) > pieceMax.chars;
    if (piece.length > 0 && isFull) {
      yield piece;
      piece = [];
      chars = 0;
    }
    piece.push(part);
    chars += charsOf(part);
  }
  if (piece.length > 0) yield piece;
}

/** A part that meets a newer document, or deletes what is not there, has lost and is no failure. */
const checkItem = ({ status, error }: BulkItem): void => {
  const isLost = status === 409;
  if (error === undefined || isLost) return;
  throw explainedRefusal(what, refusalOf(status, error));
};

/** Sends all parts in order. What was sent before a failure stays written: the same write again finds it there. */
export async function sendBulk(connection: OpenSearchConnection, piece: readonly BulkPart[]): Promise<void> {
  const { status, body } = await connection.ask<BulkAnswer>({
    what,
    method: 'POST',
    path: '/_bulk',
    query: { require_alias: true },
    lines: piece.flat(),
    accepts: [bodyTooLarge],
    timeoutMs: bulkMsMax,
  });
  if (status === bodyTooLarge) {
    if (piece.length === 1) throw new RefusedByOpenSearch(what, { status, type: 'too large', reason: 'one document' });
    const half = Math.ceil(piece.length / 2);
    await sendBulk(connection, piece.slice(0, half));
    await sendBulk(connection, piece.slice(half));
    return;
  }
  if (body.errors) for (const item of body.items) for (const outcome of Object.values(item)) checkItem(outcome);
}
