import { typedTokens } from '../../search/words/typed-tokens.ts';
import { searchIndexAt } from './search-at-position.ts';
import type { Services } from '../services.ts';

/** What the releases of a feed must say, where something was typed. */
export async function feedWords(q: string | null, services: Services, minPosition: number | null) {
  const tokens = typedTokens(q ?? '');
  return tokens.length === 0 ? null : { tokens, index: await searchIndexAt(services, minPosition) };
}
