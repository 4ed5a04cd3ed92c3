import { z } from 'zod';
import { addressOf } from '../../kernel/address/connection-string.ts';
import { isUrl } from '../../kernel/address/parse-url.ts';
import { setting } from '../setting-kinds.ts';

const isNode = (text: string): boolean => {
  if (!isUrl(text)) return false;
  const { protocol, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && search === '' && hash === '';
};

/** Where searches are answered. */
export const searchingSettings = {
  OPENSEARCH_URL: setting(
    {
      description:
        'OpenSearch with its k-NN plugin instead of the embedded search index; several nodes of a cluster are separated by commas.',
      mustBe: 'an http or https address such as https://user:password@host:9200, or several separated by commas',
      shown: addressOf,
    },
    z
      .string()
      .refine((text) => text.split(',').every(isNode))
      .exactOptional(),
  ),
  OPENSEARCH_INDEX_PREFIX: setting(
    {
      description: 'Begins the names of all indexes there, so that several registries can share a cluster.',
      mustBe: 'at most 100 small letters, digits, hyphens and underscores, the first a letter or digit',
      fallback: 'registry',
    },
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,99}$/)
      .prefault('registry'),
  ),
};
