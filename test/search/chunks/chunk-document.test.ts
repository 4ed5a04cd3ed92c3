import { expect, it } from 'vitest';
import { chunkDocumentId, parseChunkDocumentId } from '../../../src/search/chunks/chunk-document.ts';

it('the id of a chunk says which piece of which file it is', () => {
  const place = { fileId: 'src_5dR8mK1vQz0YtH6nBx3Lp/0123456789abcdef0123456789abcdef', offset: 40_000, length: 1_234 };
  expect(chunkDocumentId(place)).toBe('src_5dR8mK1vQz0YtH6nBx3Lp/0123456789abcdef0123456789abcdef:40000:1234');
  expect(parseChunkDocumentId(chunkDocumentId(place))).toEqual(place);
  expect(parseChunkDocumentId(chunkDocumentId({ ...place, fileId: 'a:1:2' }))).toEqual({ ...place, fileId: 'a:1:2' });
});

it.each(['', 'rel_VjU5mSzEZFJlSjXAUMms4', 'file:1', 'file:1:x', 'file:-1:2', ':1:2'])('is no chunk: %j', (id) => {
  expect(parseChunkDocumentId(id)).toBeNull();
});
