import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readIndexDefinitions } from '../../src/adapters/opensearch/indices/index-definitions.ts';

const folder = new URL('../../ops/indices/', import.meta.url);

it('declares what the adapter reads, and nothing else', () => {
  expect(readdirSync(folder).sort()).toEqual(['documents.json', 'state.json', 'vectors.json']);
});

it('compares vectors by the engine that every node has, and never by the default one', () => {
  const { vectors } = readIndexDefinitions();
  expect(vectors(256)).toMatchObject({
    type: 'nested',
    properties: { vector: { dimension: 256, method: { engine: 'lucene', space_type: 'cosinesimil' } } },
  });
  const texts = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const count = (pattern: RegExp) => texts.join().match(pattern)?.length;
  expect(count(/"knn_vector"/g)).toBe(count(/"engine": "lucene"/g));
});

it('takes in no field that is not declared, and shows nothing before it is asked to', () => {
  const { documents } = readIndexDefinitions();
  expect(documents).toMatchObject({
    mappings: { dynamic: 'strict' },
    settings: { index: { refresh_interval: '-1', number_of_shards: 1, knn: true } },
  });
});
