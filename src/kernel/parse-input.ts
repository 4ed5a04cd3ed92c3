import type { ZodType } from 'zod';
import { DomainError } from './errors.ts';

/** `releases[3].title`: how a client finds the value in its own body. */
export const issuePath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');

/** So many help whoever wrote a body; each item of a large one may have some. */
export const issuesMax = 100;

/** Parses, or throws `validation_failed` with the issues and where they are. */
export function parseInput<Output>(schema: ZodType<Output>, input: unknown): Output {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues
    .slice(0, issuesMax)
    .map(({ path, message }) => ({ path: issuePath(path), message }));
  throw new DomainError('validation_failed', { issues });
}
