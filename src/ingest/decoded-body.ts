import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { HttpResponse } from '../ports/http-client.ts';
import { FetchFailed } from './fetch-failed.ts';

/** What is asked for; each is read below. */
export const acceptedEncodings = 'gzip, deflate, br';

/** Both forms of deflate are in use: with the head and checksum of zlib, as it should be, and without. */
const hasZlibHead = ([first = 0, second = 0]: Uint8Array): boolean =>
  (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;

function openDecoder(encoding: string, body: Uint8Array): Transform | null {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return hasZlibHead(body) ? createInflate() : createInflateRaw();
  return encoding === 'br' ? createBrotliDecompress() : null;
}

export interface DecodedBody {
  readonly body: Uint8Array;
  readonly truncated: boolean;
}

/** The first bytes of what comes out, piece by piece: a small body may become a thousand times as large. */
async function firstBytes(decoder: Transform, bytesMax: number): Promise<DecodedBody> {
  const pieces: Uint8Array[] = [];
  let byteCount = 0;
  for await (const piece of decoder as AsyncIterable<Uint8Array>) {
    const kept = piece.subarray(0, bytesMax - byteCount);
    pieces.push(kept);
    byteCount += kept.length;
    if (kept.length < piece.length) return { body: Buffer.concat(pieces), truncated: true }; // leaving ends the decoder
  }
  return { body: Buffer.concat(pieces), truncated: false };
}

/** The body of an answer as it was before it was packed, at most so many bytes of it. Throws FetchFailed. */
export async function decodedBody(answer: HttpResponse, bytesMax: number): Promise<DecodedBody> {
  const { status, headers, body, truncated } = answer;
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity' || body.length === 0) return { body, truncated };
  // Packed it is already more than may come out.
  if (truncated) throw new FetchFailed('too_large', status);
  const decoder = openDecoder(encoding, body);
  if (decoder === null) {
    throw new FetchFailed('unreadable', status, { sentence: 'The answer is packed in a way that was not asked for.' });
  }
  decoder.end(body);
  try {
    return await firstBytes(decoder, bytesMax);
  } catch (error) {
    throw new FetchFailed('unreadable', status, { cause: error, sentence: 'The answer cannot be unpacked.' });
  }
}
