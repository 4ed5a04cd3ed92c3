import { z } from 'zod';
import { appStorePlatforms } from '../../domain/enumerations.ts';
import { FetchFailed } from '../fetch-failed.ts';
import type { SourceToFetch } from '../source-fetcher.ts';
import { isUrl } from '../../kernel/address/parse-url.ts';

export interface AppAddress {
  readonly id: string;
  /** Two letters; notes and versions differ between the countries of the store. */
  readonly country: string;
  readonly isMac: boolean;
}

const appMetadata = z.object({
  id: z.coerce
    .string()
    .regex(/^\d{1,20}$/)
    .exactOptional(),
  country: z
    .string()
    .regex(/^[a-z]{2}$/i)
    .exactOptional(),
  platform: z.enum(appStorePlatforms).exactOptional(),
});

/** Which app a source is, by its address (`…/us/app/name/id123456789`) and what `metadata.appStore` says instead. */
export function appAddressOf({ url, metadata }: Pick<SourceToFetch, 'url' | 'metadata'>): AppAddress {
  const said = appMetadata.safeParse(metadata['appStore'] ?? {});
  if (!said.success) {
    const sentence = 'metadata.appStore must have an id of digits, a country of two letters, or a platform.';
    throw new FetchFailed('unreadable', null, { sentence });
  }
  const { pathname, searchParams } = isUrl(url) ? new URL(url) : new URL('https://none/');
  const id = said.data.id ?? /\/id(\d{1,20})(?:\/|$)/.exec(pathname)?.[1];
  if (id === undefined) {
    const sentence =
      'The address of the source names no app: it must hold /id and a number, or metadata.appStore an id.';
    throw new FetchFailed('unreadable', null, { sentence });
  }
  const country = said.data.country ?? /^\/([a-z]{2})\//i.exec(pathname)?.[1] ?? 'us';
  const isMac = said.data.platform === 'macos' || (said.data.platform === undefined && searchParams.get('mt') === '12');
  return { id, country: country.toLowerCase(), isMac };
}
