import { z } from 'zod';
import { count } from './count.ts';
import { timestamp } from './timestamp.ts';

const fileItem = {
  path: z.string(),
  filename: z.string(),
  url: z.string(),
  bytes: count,
  fetchedAt: timestamp,
};

const file = {
  ...fileItem,
  rawUrl: z.string(),
  totalChars: count,
  totalTokens: count,
  truncated: z.boolean(),
};

/** A changelog file without its content. */
export const changelogFile = z.strictObject(file).meta({ id: 'ChangelogFile' });

/** A changelog file, or a part of it that begins and ends at headings (contract 5.4). */
export const changelogSlice = z
  .strictObject({
    ...file,
    content: z.string(),
    offset: count,
    limit: count,
    nextOffset: count.nullable(),
    /** The budget, and what was made of it: where one was asked for. */
    tokens: count.optional(),
    sliceTokens: count.optional(),
    files: z.array(z.strictObject(fileItem)),
  })
  .meta({ id: 'ChangelogSlice' });
