import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectOpenSearch, type OpenSearchConnection } from '../../../src/adapters/opensearch/connection.ts';
import { readIndexDefinitions } from '../../../src/adapters/opensearch/indices/index-definitions.ts';
import { ensureIndices, lookAtIndices } from '../../../src/adapters/opensearch/indices/indices.ts';
import { vectorsFieldOf } from '../../../src/adapters/opensearch/names.ts';
import { createOpenSearchIndexes } from '../../../src/adapters/opensearch/search-indexes.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { SearchIndexes } from '../../../src/ports/search-index.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { documentOf, openIndex, putOf, towards, vectorSpace, vectorsOf } from '../../spec/search-index/harness.ts';
import { describeOpenSearch } from './describe-opensearch.ts';
import { deleteIndexes, newPrefix } from './opensearch-backends.ts';

type Numbers = Readonly<Record<string, object>>;

/** Ours, with some of its numbers otherwise. */
const otherField = (dimensions: number, change: (vector: Numbers) => object): object => {
  const field = readIndexDefinitions().vectors(dimensions) as { properties: { vector: Numbers } };
  return { ...field, properties: { vector: { ...field.properties.vector, ...change(field.properties.vector) } } };
};
const earlierGraph = ({ method }: Numbers) => ({ method: { ...method, parameters: { m: 16, ef_construction: 40 } } });
const otherNearness = ({ method }: Numbers) => ({ method: { ...method, space_type: 'l2' } });

describeOpenSearch((server) => {
  const prefix = newPrefix();
  let connection: OpenSearchConnection;
  let indexes: SearchIndexes;

  beforeEach(async () => {
    connection = connectOpenSearch([server]);
    indexes = await createOpenSearchIndexes({ urls: [server], prefix, clock: systemClock, log: createKeptLog() });
  });
  afterEach(async () => {
    for (const one of [indexes, connection]) await one.close();
    await deleteIndexes(server, prefix);
  });

  const makeField = (field: object) =>
    connection.ask({
      what: 'make a field',
      method: 'PUT',
      path: `/${prefix}-release-g1-*/_mapping`,
      body: { properties: { [vectorsFieldOf(vectorSpace)]: field } },
    });
  const one = [putOf('release', 1, documentOf('one')), vectorsOf('release', 1, 'one', towards(0))];

  it('takes vectors into a field whose graph an earlier version made, and says that the index should be rebuilt', async () => {
    const { write, findNear } = await openIndex(indexes);
    await makeField(otherField(towards(0).length, earlierGraph));
    expect(await write(1, ...one)).toBe('written');
    expect(await findNear(towards(0))).toEqual(['one']);
    const place = { urls: [server], prefix };
    const differing = (await lookAtIndices(place)).filter(({ state }) => state === 'differs');
    expect(differing.map(({ differences }) => differences)).toEqual([[vectorsFieldOf(vectorSpace)]]);
    await expect(ensureIndices(place)).rejects.toThrow('rebuild the search index');
  });

  it('writes no vectors into a field that tells another nearness', async () => {
    const { write } = await openIndex(indexes);
    await makeField(otherField(towards(0).length, otherNearness));
    await expect(write(1, ...one)).rejects.toThrow('make a field for vectors');
  });
});
