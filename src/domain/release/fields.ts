import { z } from 'zod';
import { normalizeVersion } from './derived/classify.ts';
import { parsePublishedAt } from '../../kernel/dates.ts';
import { cleanText, lineText } from '../../kernel/text-rules.ts';
import { breakingVerdicts, mediaTypes, releaseTypes } from '../enumerations.ts';
import { isUrl } from '../../kernel/address/parse-url.ts';

// Indexing and announcing are one append and both hold the media: with the largest text, notes and titles beside
// them, this keeps it under 900 KB. Fifty addresses of full length fit twice over.
const mediaBytesMax = 200 * 1024;

const isHttpUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && isUrl(text);

const httpUrl = cleanText(1, 2048).refine(isHttpUrl, { error: 'must be an http or https address' });

const title = lineText(1, 500);
const content = cleanText(0, 1_000_000);

const version = cleanText(0, 200).transform(normalizeVersion);

const publishedAt = z.string().transform((text, context): string => {
  const timestamp = parsePublishedAt(text);
  if (timestamp !== null) return timestamp;
  context.issues.push({ code: 'custom', message: 'must be a day or a date-time with a zone', input: text });
  return z.NEVER;
});

const count = z.int().min(0);
const composition = z.strictObject({ bugs: count, features: count, enhancements: count });

const mediaItem = z.strictObject({
  type: z.enum(mediaTypes),
  url: httpUrl,
  alt: cleanText(0, 2000).optional(),
  r2Key: cleanText(0, 1024).optional(),
  r2Url: httpUrl.optional(),
  linkUrl: httpUrl.optional(),
});

const media = z
  .array(mediaItem)
  .max(50)
  .refine((items) => items.length === 0 || Buffer.byteLength(JSON.stringify(items)) <= mediaBytesMax, {
    error: `must take at most ${mediaBytesMax} bytes as JSON`,
  })
  .transform((items) => (items.length === 0 ? null : items)); // no media is the default, not a value of its own

/** Fields that can be taken back with null. */
const optionalFields = {
  version: version.nullish(),
  url: httpUrl.nullish(),
  publishedAt: publishedAt.nullish(),
  type: z.enum(releaseTypes).nullish(),
  prerelease: z.boolean().nullish(),
  summary: cleanText(0, 2000).nullish(),
  titleGenerated: lineText(0, 300).nullish(),
  titleShort: lineText(0, 300).nullish(),
  breaking: z.enum(breakingVerdicts).nullish(),
  importance: z.int().min(1).max(5).nullish(),
  migrationNotes: cleanText(0, 20_000).nullish(),
  composition: composition.nullish(),
  media: media.nullish(),
};

/** One release as somebody sends it: an absent field says nothing, null takes a value back. */
export const releaseItem = z.strictObject({ title, content: content.optional(), ...optionalFields });

export const releaseChanges = z
  .strictObject({ title: title.optional(), content: content.optional(), ...optionalFields })
  .refine((changes) => Object.keys(changes).length > 0, { error: 'must change at least one field' });

export type ReleaseItem = z.output<typeof releaseItem>;
export type SentFields = z.output<typeof releaseChanges>;

/** Why a release was taken down or linked. */
export const decisionReason = cleanText(0, 500).optional();

/** Who decided on a link: `human:jane`, `agent:launch-watcher`. */
export const decidedBy = lineText(1, 120).refine((text) => /^(human|agent):\S/.test(text), {
  error: 'must begin with human: or agent:',
});

/** cl100k_base tokens of `content`, counted by whoever sends it, off the thread that decides. */
export const contentTokens = z.int().min(0).nullable().default(null);

/** Whether the count that the text needs was sent along. */
export const isCounted = (sent: { content?: string | undefined }, tokens: number | null): boolean =>
  sent.content === undefined || sent.content === '' || tokens !== null;

/** The public address of the web pages. */
export const webBaseUrl = httpUrl.transform((url) => url.replace(/\/+$/, ''));
