import { z } from 'zod';
import { cleanText, isCleanText } from '../../kernel/text-rules.ts';
import { httpUrl } from '../web-address.ts';

const contentBytesMax = 5 * 1024 * 1024;

/** A source has so many files at most: they are listed with every slice, and there is no second page. */
export const filesMax = 100;

/** Names and folders from the root of a repository, as `docs/CHANGELOG.md`. */
const isFilePath = (path: string): boolean =>
  !/\p{Cc}/u.test(path) && path.split('/').every((name) => name.trim() !== '' && name !== '.' && name !== '..');

const path = cleanText(1, 500).refine(isFilePath, {
  error: 'must be the path of a file from the root of its repository',
});

const content = z
  .string()
  .refine(isCleanText, { error: 'must not hold U+0000 or a lone surrogate', abort: true })
  .refine((text) => Buffer.byteLength(text) <= contentBytesMax, {
    error: `must take at most ${contentBytesMax} bytes in UTF-8`,
  })
  .meta({ maxLength: contentBytesMax });

export const changelogFields = z.strictObject({
  path,
  content,
  url: httpUrl.exactOptional(),
  rawUrl: httpUrl.exactOptional(),
});
