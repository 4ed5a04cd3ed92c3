import { decodeText } from '../feed/decode-text.ts';
import { FetchFailed } from '../fetch-failed.ts';
import type { ThirdPartyAnswer } from '../third-party.ts';

const pageTypes = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;
/** Where browsers look for it too. */
const headBytes = 1_024;

/** A page may say itself how it is encoded, where its server does not. */
function declaredCharset(body: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(body.subarray(0, headBytes));
  return /<meta[^>]{1,200}?charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(head)?.[1] ?? null;
}

/** The markup of a page. Throws FetchFailed. */
export function pageText({ status, headers, body, truncated }: ThirdPartyAnswer): string {
  if (truncated) throw new FetchFailed('too_large', status, { sentence: 'The page is larger than 10 MiB.' });
  const type = headers['content-type'] ?? 'text/html';
  if (!pageTypes.test(type)) {
    throw new FetchFailed('unreadable', status, { sentence: 'What stands there is no HTML page.' });
  }
  const declared = /charset/i.test(type) ? null : declaredCharset(body);
  return decodeText(body, declared === null ? type : `${type}; charset=${declared}`);
}
