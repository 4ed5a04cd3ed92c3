import { describe, expect, it } from 'vitest';
import { readReleaseLine } from '../../../src/ingest/importing/release-line.ts';

const read = (line: unknown) => readReleaseLine(JSON.stringify(line), 'https://registry.example');

describe('a line of a file of releases', () => {
  it('is an item of the batch route, and where it belongs', () => {
    const source = { org: 'acme', slug: 'kit', name: 'Kit', url: 'https://github.com/acme/kit' };
    expect(read({ source, title: 'Kit 1', version: '1.0.0', publishedAt: '2024-01-01' })).toEqual({
      source: { ...source, org: { slug: 'acme', name: 'acme' }, packages: [] },
      item: { title: 'Kit 1', version: '1.0.0', publishedAt: expect.stringMatching(/^2024-01-01/) },
    });
  });

  it('belongs to a source that nobody fetches where it names no address', () => {
    expect(read({ source: { org: 'acme', slug: 'kit' }, title: 'Kit 1' })).toMatchObject({
      source: { name: 'kit', url: 'https://registry.example/acme/kit', type: 'agent' },
    });
    expect(read({ source: { slug: 'kit' }, title: 'Kit 1' })).toMatchObject({
      source: { org: null, url: 'https://registry.example/source/kit', type: 'agent' },
    });
  });

  it('may name the id of a source', () => {
    const id = `src_${'a'.repeat(21)}`;
    expect(read({ source: id, title: 'Kit 1' })).toMatchObject({ source: { id } });
  });

  it('may begin with the mark of its encoding', () => {
    const line = JSON.stringify({ source: { slug: 'kit' }, title: 'Kit 1' });
    expect(readReleaseLine(`\ufeff${line}`, 'https://registry.example')).toHaveProperty('item');
  });

  it('is cleaned of what hides something from a reader, as what is fetched', () => {
    const source = { slug: 'kit', name: 'K\u202eit' };
    const media = [{ type: 'image', url: 'https://example.com/a.png', alt: 'photo_\u202egpj.exe' }];
    const texts = { content: 'a\u2066b\r\nc\x1b[31m', summary: 'd\u202e', migrationNotes: 'e\0' };
    const lines = { title: 'Kit\x07 \u202e1', version: '1\u200b.0', titleShort: 'K\u2067', titleGenerated: 'G\u202d' };
    expect(read({ source, ...lines, ...texts, media })).toMatchObject({
      source: { name: 'Kit' },
      item: {
        ...{ title: 'Kit 1', version: '1.0', titleShort: 'K', titleGenerated: 'G' },
        ...{ content: 'ab\nc[31m', summary: 'd', migrationNotes: 'e\ufffd' },
        media: [{ alt: 'photo_gpj.exe' }],
      },
    });
  });

  it.each([
    [{ title: 'Kit 1' }, /^source: /],
    [{ source: 'kit', title: 'Kit 1' }, /^source: /],
    [{ source: { slug: 'kit' } }, /^title: /],
    [{ source: { slug: 'No slug' }, title: 'Kit 1' }, /slug/],
    [{ source: { slug: 'kit' }, title: 'Kit 1', colour: 'red' }, /colour/],
    [[], /^the line: /],
    ['{', /^the line: /],
  ])('%j is told what is wrong with it', (line, says) => {
    expect(read(line)).toEqual({ reason: expect.stringMatching(says) });
  });
});
