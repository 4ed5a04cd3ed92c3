import type { Context } from 'koa';
import { DomainError } from '../../kernel/errors.ts';
import { namesTag } from '../caching.ts';
import type { Reference } from './reference.ts';

/** Below it lie no routes of the interface: these are parts of a page. */
export const referenceFilesPath = '/v1/docs/';
export const referenceFilePath = `${referenceFilesPath}:version/:file`;

const keptForEver = 'public, max-age=31536000, immutable';
/** A page that a cache has kept names files of an earlier version; it gets those of now, and nobody keeps them for those. */
const notKept = 'no-cache';

/** A file of the reference, compressed for whoever takes that. */
export async function sendReferenceFile(ctx: Context, reference: Reference): Promise<void> {
  const { version, file: name } = ctx['params'] as { version: string; file: string };
  const file = await reference.file(name);
  if (file === null) throw new DomainError('not_found', 'route', `There is no \`GET ${ctx.path}\`.`);
  const isCompressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  ctx.set('Cache-Control', version === (await reference.version()) ? keptForEver : notKept);
  ctx.set('ETag', isCompressed ? file.etag.replace(/"$/, '-gzip"') : file.etag);
  if (namesTag(ctx.get('if-none-match'), file.etag)) {
    ctx.status = 304;
    return;
  }
  if (isCompressed) ctx.set('Content-Encoding', 'gzip');
  ctx.set('Content-Type', file.type);
  const { buffer, byteOffset, byteLength } = isCompressed ? file.gzipped : file.bytes;
  ctx.body = Buffer.from(buffer, byteOffset, byteLength);
}
