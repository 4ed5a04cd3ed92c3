import type { HttpResponse } from '../ports/http-client.ts';
import type { FetchMemory } from './source-fetcher.ts';

const validatorCharsMax = 1_000;

/** The header as it is to be sent back; one that no header may hold is forgotten. */
const validatorOf = (value: string | undefined): string | null =>
  value !== undefined && value.length <= validatorCharsMax && /^[\x20-\x7e]+$/.test(value) ? value : null;

/** What the next request asks with. */
export const validatorsIn = ({
  headers,
}: HttpResponse): { readonly etag: string | null; readonly lastModified: string | null } => ({
  etag: validatorOf(headers['etag']),
  lastModified: validatorOf(headers['last-modified']),
});

export const conditionsFrom = ({ etag, lastModified }: FetchMemory): Record<string, string> => ({
  ...(typeof etag === 'string' && { 'if-none-match': etag }),
  ...(typeof lastModified === 'string' && { 'if-modified-since': lastModified }),
});
