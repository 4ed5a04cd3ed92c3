import { z } from 'zod';
import { releaseId } from '../../src/kernel/ids.ts';
import { type CursorScope, decodeCursor, encodeCursor } from '../../src/kernel/paging/cursor.ts';
import type { FeedPosition } from './feed-run.ts';

// A client may forge what a cursor holds; it must at least be a place in a feed.
const position = z.tuple([z.int().nullable(), z.int(), releaseId]);

export interface FeedPaging {
  readonly limit: number;
  readonly cursor: string | null;
  /** Query parameters as sent: a cursor holds only for the same ones. */
  readonly sent: CursorScope['filters'];
}

export const decodeFeedCursor = (cursor: string | null, scope: CursorScope): FeedPosition | null =>
  cursor === null ? null : decodeCursor(cursor, scope, position);

export const encodeFeedCursor = (next: FeedPosition | null, scope: CursorScope): string | null =>
  next === null ? null : encodeCursor({ ...scope, position: next });
