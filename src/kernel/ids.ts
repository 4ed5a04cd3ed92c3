import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type StreamCategory, streamOf } from './stream-name.ts';

/** In the order of their bytes, so that texts of them sort as the numbers do. */
export const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

// Seven digits are the most that stay exact in a double (62^7 < 2^53), so a BigInt is divided once per seven.
const chunkDigits = 7;
const chunkSize = 62 ** chunkDigits;
const chunkSizeBig = BigInt(chunkSize);

/** The bytes as one big-endian number, modulo 62^length, in exactly `length` digits. */
export const base62FromHash = (bytes: Uint8Array, length: number): string => {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  let rest = BigInt(`0x0${hex}`);
  let text = '';
  while (text.length < length) {
    let chunk = Number(rest % chunkSizeBig);
    rest /= chunkSizeBig;
    const end = Math.min(length, text.length + chunkDigits);
    while (text.length < end) {
      text = base62Digits.charAt(chunk % 62) + text;
      chunk = Math.floor(chunk / 62);
    }
  }
  return text;
};

export const idPrefixes = [
  'org',
  'prod',
  'src',
  'rel',
  'col',
  'tag',
  'loc',
  'sum',
  'whk',
  'evt',
  'usr',
  'key',
  'tok',
  'fet',
] as const;

export type IdPrefix = (typeof idPrefixes)[number];

const tailLength = 21;

const patternOf = (prefix: string): RegExp => new RegExp(`^${prefix}_[A-Za-z0-9]{${tailLength}}$`);

const patterns = Object.fromEntries(idPrefixes.map((prefix) => [prefix, patternOf(prefix)])) as Record<
  IdPrefix,
  RegExp
>;

export const isId = (prefix: IdPrefix, value: string): boolean => patterns[prefix].test(value);

/** The same parts always give the same id, so recording the same thing twice is recognised. */
export const derivedId = (prefix: IdPrefix, ...parts: readonly string[]): string =>
  `${prefix}_${base62FromHash(createHash('sha256').update(parts.join('\n')).digest(), tailLength)}`;

/**
 * The id of what a command creates: the same whenever it runs again. The key is the command's id, or what the entity is
 * known by. Ids that had to be given up count the tries.
 */
export const newEntityId = (prefix: IdPrefix, key: string, tryNumber = 0): string =>
  derivedId(prefix, key, String(tryNumber));

const idSchema = (prefix: IdPrefix) => z.string().regex(patterns[prefix], `must be a ${prefix}_ id`);

export const orgId = idSchema('org');
export const productId = idSchema('prod');
export const sourceId = idSchema('src');
export const releaseId = idSchema('rel');
export const collectionId = idSchema('col');
export const tagId = idSchema('tag');
export const eventId = idSchema('evt');
export const userId = idSchema('usr');
export const tokenId = idSchema('tok');
export const webhookId = idSchema('whk');
export const summaryId = idSchema('sum');

const releasePath = new RegExp(`^(rel_[A-Za-z0-9]{${tailLength}})(?:-.*)?$`, 's');

/** A release address is its id, with or without readable words after a hyphen. */
export const releaseIdOfPath = (segment: string): string | null => releasePath.exec(segment)?.[1] ?? null;

const categories: readonly (readonly [IdPrefix, StreamCategory])[] = [
  ['org', 'org'],
  ['prod', 'product'],
  ['src', 'source'],
  ['rel', 'release'],
  ['col', 'collection'],
  ['tag', 'tag'],
  ['sum', 'summary'],
  ['tok', 'token'],
  ['whk', 'webhook'],
];

/** The stream of what has this id; null for what is no id, or that of something without a stream. */
export function streamOfId(id: string): string | null {
  const found = categories.find(([prefix]) => isId(prefix, id));
  return found === undefined ? null : streamOf(found[1], id);
}
