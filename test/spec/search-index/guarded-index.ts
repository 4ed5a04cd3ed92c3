import type { SearchIndexes } from '../../../src/ports/search-index.ts';
import type { GuardedStore } from '../../contract/leases-contract.ts';
import { documentOf, nearList, putOf, towards, vectorsOf, wordsList } from './harness.ts';

/** A document of a search index, written under its leases. It is read by what its value is found by. */
export async function openGuardedIndex(indexes: SearchIndexes): Promise<GuardedStore> {
  const index = await indexes.open(1);
  const everything = nearList(towards(0));
  const found = async () => (await index.search([everything]))[0]?.hits ?? [];
  return {
    leases: index.leases,
    write: async (lease, value) => {
      for (;;) {
        const position = (await index.checkpoint()) + 1;
        const id = `doc ${value}`;
        const hits = await found();
        const changes = [
          ...hits.map((hit) => ({ kind: 'delete', index: 'release', position, id: hit.id }) as const),
          putOf('release', position, documentOf(id, { title: value })),
          vectorsOf('release', position, id, towards(0)),
        ];
        const outcome = await index.write({ changes, position, lease });
        if (outcome === 'written') await index.settle();
        if (outcome === 'written' || outcome === 'stale_lease') return outcome;
        if (outcome !== 'behind') throw new Error(`the write was ${outcome}`);
      }
    },
    read: async () => {
      const [hit] = await found();
      if (hit === undefined) return null;
      const value = hit.id.slice('doc '.length);
      const [byWords] = await index.search([wordsList(value)]);
      return byWords?.hits[0]?.id === hit.id ? value : `${value}, which its words do not find`;
    },
  };
}
