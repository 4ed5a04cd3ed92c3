import { z } from 'zod';
import { type CursorScope, decodeCursor, encodeCursor } from '../src/kernel/cursor.ts';
import type { FeedPosition } from './feed-run.ts';

const position = z.tuple([z.number().nullable(), z.number(), z.string()]);

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
