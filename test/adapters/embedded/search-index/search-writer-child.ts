import { createEmbeddedSearchIndexes } from '../../../../src/adapters/embedded/search-index/search-indexes.ts';
import { systemClock } from '../../../../src/adapters/system/clock.ts';
import { documentOf, openIndex, putOf, towards, vectorsOf } from '../../../spec/search-index/harness.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the data folder.');

const { write, index } = await openIndex(await createEmbeddedSearchIndexes({ folder, clock: systemClock }));

// Each write replaces one of ten documents; its number is told after it was acknowledged, never before.
for (let position = (await index.checkpoint()) + 1; ; position += 1) {
  const id = `doc ${position % 10}`;
  const outcome = await write(
    position,
    putOf('release', position, documentOf(id, { title: `quokka number${position}` })),
    vectorsOf('release', position, id, towards(position % 10)),
  );
  if (outcome !== 'written') throw new Error(`a write was ${outcome}`);
  process.stdout.write(`${position}\n`);
}
