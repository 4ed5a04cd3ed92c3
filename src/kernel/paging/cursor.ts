import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DomainError } from '../errors.ts';
import { isCleanText } from '../text-rules.ts';

const version = 1;
const charsMax = 512;
const hashChars = 16; // 96 bits: it tells requests apart, it keeps no secret

// A client may change these between two pages.
const notFilters = new Set(['cursor', 'limit', 'page', 'pageSize']);

export type CursorPosition = readonly (string | number | null)[];

export interface CursorScope {
  readonly feed: string;
  /** Id of the path entity, null where the path names none. */
  readonly entity: string | null;
  /** Filter parameters as sent; absent and blank are the same. */
  readonly filters: Readonly<Record<string, string | number | boolean | null | undefined>>;
}

const scopeHash = ({ feed, entity, filters }: CursorScope): string => {
  const sent = Object.entries(filters)
    .filter(([name, value]) => value !== undefined && value !== null && value !== '' && !notFilters.has(name))
    .map(([name, value]) => [name, String(value)])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([feed, entity, sent]))
    .digest('base64url')
    .slice(0, hashChars);
};

const positionSchema = z
  .array(z.union([z.string().refine(isCleanText), z.number(), z.null()]))
  .min(1)
  .max(8);

const cursorSchema = z.tuple([z.literal(version), z.string(), positionSchema]);

export const encodeCursor = (cursor: CursorScope & { readonly position: CursorPosition }): string => {
  const json = JSON.stringify([version, scopeHash(cursor), cursor.position]);
  const text = Buffer.from(json).toString('base64url');
  if (text.length > charsMax) throw new RangeError(`a cursor of ${cursor.feed} is over ${charsMax} characters`);
  return text;
};

const parseCursor = (text: string) => {
  if (text.length > charsMax || !/^[\w-]+$/.test(text)) return null;
  const json = Buffer.from(text, 'base64url').toString('utf8');
  // One spelling per cursor: what does not encode back to itself was not made here.
  if (Buffer.from(json).toString('base64url') !== text) return null;
  try {
    const parsed = cursorSchema.safeParse(JSON.parse(json));
    return parsed.success && JSON.stringify(parsed.data) === json ? parsed.data : null;
  } catch {
    return null;
  }
};

/** Whether it can be one of any feed: this is known before the feed that it is sent to. */
export const isCursor = (text: string): boolean => parseCursor(text) !== null;

/** The position to go on from. With a `shape` it is also checked to be the kind of position this feed makes. */
export const decodeCursor = <Position extends CursorPosition = CursorPosition>(
  text: string,
  scope: CursorScope,
  shape?: z.ZodType<Position>,
): Position => {
  const cursor = parseCursor(text);
  if (cursor === null || cursor[1] !== scopeHash(scope)) throw new DomainError('invalid_cursor');
  if (shape === undefined) return cursor[2] as CursorPosition as Position;
  const position = shape.safeParse(cursor[2]);
  if (!position.success) throw new DomainError('invalid_cursor');
  return position.data;
};
