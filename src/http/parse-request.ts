import type { ZodType, z } from 'zod';
import { DomainError } from '../kernel/errors.ts';
import { isCleanText } from '../kernel/text-rules.ts';

const refuse = (parameter: string, reason: string, allowed?: readonly unknown[]): never => {
  throw new DomainError('invalid_parameter', { parameter, reason, ...(allowed && { allowed }) });
};

/** URLSearchParams would read what is no text as a replacement character. */
function requireUtf8(pair: string): void {
  try {
    decodeURIComponent(pair);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    refuse(pair.split('=')[0] ?? '', 'is not percent-encoded UTF-8');
  }
}

/** Query parameters as sent: blank ones are absent, one sent twice is refused, unknown ones are left to be ignored. */
export function sentParameters(search: string): Record<string, string> {
  const sent = new Map<string, string>();
  for (const pair of search.split('&')) requireUtf8(pair);
  for (const [name, value] of new URLSearchParams(search)) {
    if (sent.has(name)) refuse(name, 'was sent more than once');
    if (!isCleanText(value)) refuse(name, 'holds a character that is not allowed');
    sent.set(name, value);
  }
  return Object.fromEntries([...sent].filter(([, value]) => value !== ''));
}

export function parseQuery<Query>(schema: ZodType<Query>, sent: Readonly<Record<string, string>>): Query {
  const parsed = schema.safeParse(sent);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0] as z.core.$ZodIssue;
  const parameter = String(issue.path[0] ?? '');
  if (!Object.hasOwn(sent, parameter)) throw new DomainError('missing_parameter', { parameter });
  if (issue.code === 'invalid_value') return refuse(parameter, 'is not one of the allowed values', issue.values);
  return refuse(parameter, issue.message);
}

/** Path parameters have no rules of their own: what does not resolve is not found. */
export const parseParams = <Params>(schema: ZodType<Params>, params: unknown): Params => {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new DomainError('not_found', 'route');
};

/** `X-Service-Min-Position`: null when it was not sent. */
export function parseMinPosition(header: string | undefined): number | null {
  if (header === undefined || header === '') return null;
  const position = Number(header);
  if (!/^\d+$/.test(header) || !Number.isSafeInteger(position)) {
    return refuse('X-Service-Min-Position', 'must be a non-negative whole number');
  }
  return position;
}
