import { z } from 'zod';
import { DomainError } from '../../kernel/errors.ts';
import { isCleanText } from '../../kernel/text-rules.ts';
import { appStorePlatforms, videoProviders } from '../enumerations.ts';
import { httpUrl } from '../web-address.ts';
import { packageList } from './packages.ts';

type SourceMetadata = Readonly<Record<string, unknown>>;

// Whom a change of them is for is stored in `entity-history`: with another key its generation is raised.
const publicKeys = new Set(['feedUrl', 'feedType', 'githubUrl', 'changelogUrl', 'appStore', 'video', 'packages']);

/** What everybody may see of it; all other keys are for admins (contract 5.1). */
export const publicMetadata = (metadata: SourceMetadata): Record<string, unknown> =>
  Object.fromEntries(Object.entries(metadata).filter(([key]) => publicKeys.has(key)));

// Read as a fact by every ingest, so it stays small and shallow.
const bytesMax = 64 * 1024;
const depthMax = 32;

const isBoundedJson = (value: unknown, depth: number): boolean => {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return isCleanText(value);
  if (typeof value !== 'object' || depth === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isBoundedJson(item, depth - 1));
  return Object.entries(value).every(([key, item]) => isCleanText(key) && isBoundedJson(item, depth - 1));
};

const fits = (metadata: SourceMetadata): boolean => Buffer.byteLength(JSON.stringify(metadata)) <= bytesMax;

const tooLarge = `must be at most ${bytesMax} bytes of JSON`;

/** Free but for the keys that fetching and pages rely on; null deletes a key. */
export const metadataChanges = z
  .looseObject({
    feedUrl: httpUrl.nullable().exactOptional(),
    githubUrl: httpUrl.nullable().exactOptional(),
    changelogUrl: httpUrl.nullable().exactOptional(),
    feedType: z.string().max(40).nullable().exactOptional(),
    appStore: z
      .looseObject({
        platform: z.enum(appStorePlatforms).exactOptional(),
        iconUrl: httpUrl.nullable().exactOptional(),
      })
      .nullable()
      .exactOptional(),
    video: z
      .looseObject({ provider: z.enum(videoProviders).exactOptional() })
      .nullable()
      .exactOptional(),
    packages: packageList.nullable().exactOptional(),
  })
  .refine((metadata) => isBoundedJson(metadata, depthMax), {
    error: `must be JSON of at most ${depthMax} levels, without U+0000 and lone surrogates`,
    abort: true,
  })
  .refine(fits, { error: tooLarge });

export function mergeMetadata(stored: SourceMetadata, changes: SourceMetadata): SourceMetadata {
  const merged = Object.fromEntries(Object.entries({ ...stored, ...changes }).filter(([, value]) => value !== null));
  if (!fits(merged)) {
    throw new DomainError('validation_failed', { issues: [{ path: 'metadata', message: `${tooLarge} when merged` }] });
  }
  return merged;
}
