import type { FetchMemory } from './source-fetcher.ts';

/** Where a feed was found, and from where it was looked for. */
const places = ['feedUrl', 'foundFrom'];

/** What is remembered when everything is to be read again: where it is, and not what was seen of it. */
export const rememberedPlace = (memory: FetchMemory): FetchMemory =>
  Object.fromEntries(Object.entries(memory).filter(([name]) => places.includes(name)));
