import rawBody from 'raw-body';
import { DomainError } from '../../kernel/errors.ts';
import { issuePath, issuesMax } from '../../kernel/parse-input.ts';
import { isCleanText } from '../../kernel/text-rules.ts';

type ArrivingRequest = NodeJS.ReadableStream & {
  readonly headers: { readonly 'content-length'?: string | undefined };
};

/** The bytes of a request, or `payload_too_large`. */
export async function readBody(request: ArrivingRequest, limitBytes: number): Promise<Buffer> {
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

// Valid UTF-8 holds neither U+0000 in a JSON string nor half a surrogate pair: they come as escapes or not at all.
const suspiciousEscape = /\\u(?:0000|d[89a-f])/i;
const depthMax = 100;

interface Issue {
  readonly path: string;
  readonly message: string;
}

const unclean = 'holds a character that is not allowed';

/** Finds strings, keys included, that hold U+0000 or half a surrogate pair. */
function findUnclean(value: unknown, path: readonly PropertyKey[], found: Issue[]): void {
  if (found.length >= issuesMax) return;
  const report = (message: string) => found.push({ path: issuePath(path), message });
  if (typeof value === 'string') {
    if (!isCleanText(value)) report(unclean);
  } else if (value !== null && typeof value === 'object') {
    if (path.length >= depthMax) {
      report(`is nested deeper than ${depthMax} levels`);
      return;
    }
    if (Array.isArray(value)) {
      value.forEach((item, index) => findUnclean(item, [...path, index], found));
      return;
    }
    for (const [key, item] of Object.entries(value)) {
      if (isCleanText(key)) findUnclean(item, [...path, key], found);
      else report(unclean);
    }
  }
}

function refuseUnclean(parsed: unknown): void {
  const issues: Issue[] = [];
  findUnclean(parsed, [], issues);
  if (issues.length > 0) throw new DomainError('validation_failed', { issues });
}

/** A JSON object in valid UTF-8 of the right type, all of its strings clean (contract 1.2, 1.5). */
export function parseJsonObject(bytes: Buffer, contentType: string | undefined): Record<string, unknown> {
  if (bytes.length === 0 && contentType === undefined) throw new DomainError('invalid_json'); // nothing was sent
  const mediaType = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new DomainError('unsupported_content_type', { received: contentType ?? null });
  }
  let text: string;
  let parsed: unknown;
  try {
    text = utf8.decode(bytes);
    parsed = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) throw new DomainError('invalid_json');
    throw error;
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) throw new DomainError('invalid_json');
  if (suspiciousEscape.test(text)) refuseUnclean(parsed);
  return parsed as Record<string, unknown>;
}
