import type { ZodType, z } from 'zod';
import { DomainError, invalidParameter } from '../../kernel/errors.ts';
import { isCursor } from '../../kernel/paging/cursor.ts';
import { isCleanText } from '../../kernel/text-rules.ts';

/** URLSearchParams would read what is no text as a replacement character. */
function requireUtf8(pair: string): void {
  try {
    decodeURIComponent(pair);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    const [parameter = '', ...value] = pair.split('=');
    throw invalidParameter({ parameter, reason: 'must be percent-encoded UTF-8', value: value.join('=') });
  }
}

/** Query parameters as sent: blank ones are absent, a known one sent twice is refused, unknown ones are left to be ignored. */
export function sentParameters(search: string, known: Readonly<Record<string, unknown>>): Record<string, string> {
  if (search === '') return {};
  const sent = new Map<string, string>();
  if (search.includes('%')) for (const pair of search.split('&')) requireUtf8(pair);
  for (const [name, value] of new URLSearchParams(search)) {
    if (!isCleanText(value)) {
      throw invalidParameter({
        parameter: name,
        reason: 'must not hold U+0000 or a lone surrogate',
        value: JSON.stringify(value),
      });
    }
    if (sent.has(name) && Object.hasOwn(known, name)) {
      throw invalidParameter({ parameter: name, reason: 'must be sent once', value: `${sent.get(name)}, ${value}` });
    }
    sent.set(name, value);
  }
  return Object.fromEntries([...sent].filter(([, value]) => value !== ''));
}

const isMissing = (issue: z.core.$ZodIssue): boolean => issue.code === 'custom' && issue.params?.['isMissing'] === true;

export function parseQuery<Query>(schema: ZodType<Query>, sent: Readonly<Record<string, string>>): Query {
  const parsed = schema.safeParse(sent);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0] as z.core.$ZodIssue;
  const parameter = String(issue.path[0] ?? '');
  if (!Object.hasOwn(sent, parameter) || isMissing(issue)) throw new DomainError('missing_parameter', { parameter });
  const value = sent[parameter];
  if (issue.code !== 'invalid_value') throw invalidParameter({ parameter, reason: issue.message, value });
  const reason = `must be one of ${issue.values.map(String).join(', ')}`;
  throw invalidParameter({ parameter, reason, value, allowed: issue.values });
}

/** Where a page begins can be said by its number, too: beside one of these any cursor is one too many. */
const byNumber = ['page', 'pageSize'];

/** What no feed has given is refused before anything is looked for, unless the route refuses it beside a page's number. */
export function requireReadableCursor(
  known: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, string>>,
): void {
  const isTaken = (name: string): boolean => Object.hasOwn(known, name) && sent[name] !== undefined;
  if (!isTaken('cursor') || byNumber.some(isTaken)) return;
  if (!isCursor(sent['cursor']!)) throw new DomainError('invalid_cursor');
}

/** Path parameters have no rules of their own: what does not resolve is not found. */
export const parseParams = <Params>(
  schema: ZodType<Params>,
  params: unknown,
  { method, path }: { readonly method: string; readonly path: string },
): Params => {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new DomainError('not_found', 'route', `There is no \`${method} ${path}\`.`);
};

/** `X-Service-Min-Position`: null when it was not sent. */
export function parseMinPosition(header: string | undefined): number | null {
  if (header === undefined || header === '') return null;
  const position = Number(header);
  if (!/^\d+$/.test(header) || !Number.isSafeInteger(position)) {
    const reason = 'must be a whole number, 0 or more';
    throw invalidParameter({ parameter: 'X-Service-Min-Position', reason, value: header });
  }
  return position;
}
