import { etagOf, isUnchanged } from './caching.ts';
import type { Exchange } from './exchange.ts';
import type { DocumentType } from './negotiate.ts';
import { acceptedEncoding, type Encoding } from './ready/accepted-forms.ts';
import { isWorthCompressing } from './ready/compress.ts';
import { compressedForm, type SentForm, unsentTag } from './ready/ready-answer.ts';
import type { Answer, LastModified } from './route.ts';

/** What is sent; null where there is nothing to tell. */
export const sentOf = ({ document, json, body }: Answer): string | Buffer | null =>
  document?.text ?? json ?? (body === undefined ? null : JSON.stringify(body));

export const bytesOf = (sent: string | Buffer): Buffer => (typeof sent === 'string' ? Buffer.from(sent) : sent);

const contentTypeOf = (type: DocumentType | 'application/json'): string =>
  type === 'application/linkset+json' ? type : `${type}; charset=utf-8`;

/** What is said of a text beside its tag. */
export const textHeaders = ({ document, lastModified }: Pick<Answer, 'document' | 'lastModified'>) => ({
  'Content-Type': contentTypeOf(document?.type ?? 'application/json'),
  ...(lastModified !== undefined && { 'Last-Modified': new Date(lastModified.atMs).toUTCString() }),
});

/** A redirect, or nothing to tell: there is no content that a client could have already. */
export function sendNoText(ctx: Exchange, status: number): void {
  ctx.status = status;
  ctx.body = null;
  ctx.status = status; // Koa makes 204 of a null body
}

/** What is sent to a read, and what tells whether the caller has it. */
export interface ReadText {
  readonly plain: SentForm;
  readonly lastModified: LastModified | undefined;
  /** Null while somebody else has it made. */
  readonly compressed: (encoding: Encoding) => Promise<SentForm | null>;
  readonly nowMs: () => number;
}

/** An answer to a read: perhaps compressed, perhaps only that it is what the caller has. */
export async function sendRead(ctx: Exchange, { plain, lastModified, compressed, nowMs }: ReadText): Promise<void> {
  const unless = { ifNoneMatch: ctx.get('if-none-match'), ifModifiedSince: ctx.get('if-modified-since') };
  if (isUnchanged(unless, { etag: plain.etag, lastModified }, nowMs)) {
    ctx.set('ETag', unsentTag(plain, acceptedEncoding(ctx.req)));
    ctx.status = 304;
    return;
  }
  const encoding = isWorthCompressing(plain.bytes) ? acceptedEncoding(ctx.req) : null;
  const twin = encoding === null ? null : await compressed(encoding);
  if (encoding !== null && twin !== null) ctx.set('Content-Encoding', encoding);
  const { etag, bytes } = twin ?? plain;
  ctx.set('ETag', etag);
  ctx.body = bytes;
}

/** An answer that was made for this request alone; what is sent is given apart, so that it is written once. */
export async function sendOnce(
  ctx: Exchange,
  answer: Answer,
  { sent, nowMs }: { readonly sent: string | Buffer | null; readonly nowMs: () => number },
): Promise<void> {
  const { status, lastModified } = answer;
  if (sent === null) return sendNoText(ctx, status);
  ctx.status = status;
  ctx.set(textHeaders(answer));
  const bytes = bytesOf(sent);
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    ctx.body = bytes;
    return;
  }
  const plain = { etag: etagOf(bytes), bytes };
  await sendRead(ctx, { plain, lastModified, compressed: (encoding) => compressedForm(plain, encoding), nowMs });
}
