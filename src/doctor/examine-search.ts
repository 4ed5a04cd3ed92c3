import type { Stores } from '../compose/stores/stores.ts';
import { failure, type Finding, warning, well } from '../ports/finding.ts';
import { readIdentity } from '../runtime/copying/store-identity.ts';
import { codeGenerationOf } from '../runtime/projector/generations.ts';
import { missingIndexAdvice } from '../search/missing-index.ts';
import { searchGenerated } from '../search/search-generation.ts';

const about = 'search index';
const foreignAdvice =
  'Point all settings to the same registry (OPENSEARCH_INDEX_PREFIX), or remove it: it is made anew.';

/** `isShared`: other processes need not have this data folder, because servers hold all else. */
export async function examineSearch(
  { eventStore, openSearch }: Pick<Stores, 'eventStore' | 'openSearch'>,
  { isShared }: { readonly isShared: boolean },
): Promise<Finding[]> {
  const indexes = await openSearch();
  const known = await indexes.identity();
  if (known !== null && known !== (await readIdentity(eventStore))) {
    return [failure(about, `it belongs to registry ${known}`, foreignAdvice)];
  }
  const generation = await indexes.pointer();
  if (generation === null) return [isShared ? noIndexHere : well(about, 'the first start that projects makes it')];
  const made = codeGenerationOf(generation);
  if (made > searchGenerated.generation) {
    const sentence = `generation ${generation} was made by a newer version of the service, and this one does not feed it`;
    return [warning(about, sentence, 'Start the newer version, or make one by this version: registry rebuild search.')];
  }
  const position = await (await indexes.open(generation)).checkpoint();
  const head = await eventStore.head();
  const where = position >= head ? 'it is up to date' : `it is at position ${position} of ${head}`;
  return [well(about, made < searchGenerated.generation ? `${where}; the next start makes it anew` : where)];
}

/** Searches of a process with this data folder find nothing, whatever others have. */
export const noIndexHere: Finding = warning(about, 'there is none in this data folder', missingIndexAdvice);
