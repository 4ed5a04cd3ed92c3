import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from './accepted-forms.ts';

/** Less than this is hardly smaller afterwards, and travels in one packet either way. */
const worthwhileBytes = 1_024;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Brotli's highest quality takes a hundred times as long for a tenth less. */
const brotliQuality = 5;

export const isWorthCompressing = (bytes: Buffer): boolean => bytes.length >= worthwhileBytes;

/** Outside of the event loop. */
export const compress = (bytes: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'gzip'
    ? zip(bytes)
    : brotli(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      });
