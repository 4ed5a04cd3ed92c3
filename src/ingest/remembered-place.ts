import type { FetchMemory } from './source-fetcher.ts';

/** Where a feed was found, from where it was looked for, and by which addresses its entries are known. */
const places = ['feedUrl', 'foundFrom', 'ownAddresses', 'sharedAddresses'];

/** What is remembered when everything is to be read again: where it is, and not what was seen of it. */
export const rememberedPlace = (memory: FetchMemory): FetchMemory =>
  Object.fromEntries(Object.entries(memory).filter(([name]) => places.includes(name)));
