import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type CursorScope, decodeCursor, encodeCursor } from '../../../src/kernel/paging/cursor.ts';
import { isDomainError } from '../../../src/kernel/errors.ts';

const scope: CursorScope = {
  feed: 'org-releases',
  entity: 'org_5dR8mK1vQz0YtH6nBx3Lp',
  filters: { q: 'cursor', kind: 'sdk', include_coverage: 'true' },
};
const position = ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z', 'rel_JLGnYCDD0PxWcERLnxpqG'];
const cursor = encodeCursor({ ...scope, position });

const isRefused = (text: string, at: CursorScope = scope): boolean => {
  try {
    decodeCursor(text, at);
    return false;
  } catch (error) {
    return isDomainError(error, 'invalid_cursor') && error.details === undefined;
  }
};

const raw = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const [, hash] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [number, string];

describe('cursor', () => {
  it('gives its position back', () => {
    for (const kept of [position, [null, 'ü😀', 'x'], [0, -1.5, 2 ** 53 - 1], ['']]) {
      expect(decodeCursor(encodeCursor({ ...scope, position: kept }), scope)).toEqual(kept);
    }
  });

  it('is base64url of at most 512 characters', () => {
    expect(cursor).toMatch(/^[A-Za-z0-9_-]{1,512}$/);
    expect(() => encodeCursor({ ...scope, position: ['x'.repeat(600)] })).toThrow(RangeError);
  });

  it('belongs to one feed, one entity and one set of filters', () => {
    expect(isRefused(cursor, { ...scope, feed: 'source-releases' })).toBe(true);
    expect(isRefused(cursor, { ...scope, entity: 'org_aaaaaaaaaaaaaaaaaaaaa' })).toBe(true);
    expect(isRefused(cursor, { ...scope, entity: null })).toBe(true);
    expect(isRefused(cursor, { ...scope, filters: { ...scope.filters, kind: 'app' } })).toBe(true);
    expect(isRefused(cursor, { ...scope, filters: { ...scope.filters, since: '7d' } })).toBe(true);
    expect(isRefused(cursor, { ...scope, filters: { q: 'cursor', kind: 'sdk' } })).toBe(true);
    expect(isRefused(cursor, { ...scope, filters: { ...scope.filters, include_coverage: '1' } })).toBe(true);
    expect(isRefused(cursor, { ...scope, filters: { q: 'sdk', kind: 'cursor', include_coverage: 'true' } })).toBe(true);
  });

  it('does not care about key order, absent values, or paging parameters', () => {
    const filters = { include_coverage: 'true', kind: 'sdk', since: '', until: undefined, org: null, q: 'cursor' };
    const paging = { limit: '50', cursor, page: '2', pageSize: 10 };
    expect(decodeCursor(cursor, { ...scope, filters: { ...filters, ...paging } })).toEqual(position);
  });

  it('checks the position against a shape', () => {
    const shape = z.tuple([z.string().nullable(), z.string(), z.string()]);
    expect(decodeCursor(cursor, scope, shape)).toEqual(position);
    const other = encodeCursor({ ...scope, position: [1, 2] });
    expect(() => decodeCursor(other, scope, shape)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
  });

  it('the hand-made cursor of these tests is accepted when it is right', () => {
    expect(decodeCursor(raw([1, hash, ['a']]), scope)).toEqual(['a']);
  });

  it.each([
    ['empty', ''],
    ['not base64url', 'a b'],
    ['standard base64', `${cursor}=`],
    ['cut', cursor.slice(0, -1)],
    ['longer', `${cursor}A`],
    ['a blank before it', ` ${cursor}`],
    ['one character changed', `A${cursor.slice(1)}`],
    ['over 512 characters', raw([1, hash, ['x'.repeat(600)]])],
    ['no JSON', Buffer.from('hello').toString('base64url')],
    ['invalid UTF-8', Buffer.from([0xff, 0xfe]).toString('base64url')],
    ['no array', raw({ version: 1 })],
    ['null', raw(null)],
    ['another version', raw([2, hash, ['a']])],
    ['another hash', raw([1, 'AAAAAAAAAAAAAAAA', ['a']])],
    ['an element more', raw([1, hash, ['a'], 1])],
    ['an element less', raw([1, hash])],
    ['an empty position', raw([1, hash, []])],
    ['a long position', raw([1, hash, [1, 2, 3, 4, 5, 6, 7, 8, 9]])],
    ['an object inside', raw([1, hash, [{}]])],
    ['a boolean inside', raw([1, hash, [true]])],
    ['a list inside', raw([1, hash, [['a']]])],
    ['U+0000 inside', raw([1, hash, ['a\0']])],
    ['a lone surrogate inside', raw([1, hash, ['\ud800']])],
    ['another spelling', Buffer.from(`[1, "${hash}", ["a"]]`).toString('base64url')],
    ['a number without end', Buffer.from(`[1,"${hash}",[1e999]]`).toString('base64url')],
  ])('refuses %s', (_, text) => {
    expect(isRefused(text)).toBe(true);
  });
});
