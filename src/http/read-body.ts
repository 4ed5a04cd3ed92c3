import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';
import { DomainError } from '../kernel/errors.ts';
import { isCleanText } from '../kernel/text-rules.ts';

/** The bytes of a request, or `payload_too_large`. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  try {
    return await rawBody(request, { limit: limitBytes, length: request.headers['content-length'] ?? null });
  } catch (error) {
    const { type } = error as { type?: string };
    if (type === 'entity.too.large') throw new DomainError('payload_too_large', { limitBytes });
    // The client went away, or sent another number of bytes than it said.
    if (type === 'request.aborted' || type === 'request.size.invalid') throw new DomainError('invalid_json');
    throw error;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Paths of strings, keys included, that hold U+0000 or half a surrogate pair. */
function findUnclean(value: unknown, path: readonly PropertyKey[], found: PropertyKey[][]): void {
  if (typeof value === 'string') {
    if (!isCleanText(value)) found.push([...path]);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => findUnclean(item, [...path, index], found));
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      if (!isCleanText(key)) found.push([...path]);
      findUnclean(item, [...path, key], found);
    }
  }
}

export const uncleanPaths = (value: unknown): PropertyKey[][] => {
  const found: PropertyKey[][] = [];
  findUnclean(value, [], found);
  return found;
};

/** A JSON object in valid UTF-8 of the right type (contract 1.2). */
export function parseJsonObject(bytes: Buffer, contentType: string | undefined): Record<string, unknown> {
  const mediaType = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new DomainError('unsupported_content_type', { received: contentType ?? null });
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) throw new DomainError('invalid_json');
    throw error;
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) throw new DomainError('invalid_json');
  return parsed as Record<string, unknown>;
}
