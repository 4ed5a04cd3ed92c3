import { describe, expect, it } from 'vitest';
import { openStaticEmbedder } from '../../../src/adapters/embedders/static-embedder.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { cosine } from '../../spec/embedders/cosine.ts';
import vectors from '../../fixtures/embedders/static.json' with { type: 'json' };

const embedder = openStaticEmbedder({ clock: systemClock });

describe('the static embedder', () => {
  it('gives the vectors that it was published with, of length 1, and none to what it knows no word of', async () => {
    const meanings = await embedder.embed(vectors.items.map(({ text }) => text));
    for (const [nth, { text, token_ids: ids, vector }] of vectors.items.entries()) {
      const meaning = meanings[nth]!;
      if (ids.length === 0) expect([text, meaning]).toEqual([text, null]);
      else {
        expect([text, meaning?.length, cosine(meaning!, vector) >= 0.999]).toEqual([text, embedder.dimensions, true]);
        expect(Math.hypot(...meaning!)).toBeCloseTo(1, 5);
      }
    }
    for (const { a, b, cosine: expected } of vectors.pairs) {
      expect(Math.abs(cosine(meanings[a]!, meanings[b]!) - expected)).toBeLessThan(0.01);
    }
  });

  it('stops when nobody waits any more', async () => {
    const signal = AbortSignal.abort(new Error('nobody waits'));
    await expect(embedder.embed(['text'], { signal })).rejects.toThrow('nobody waits');
  });

  it('lets others have a turn while it embeds many texts', async () => {
    let [looks, turns] = [0, 0];
    const clock = { nowMs: () => (looks += 1), sleep: async () => void (turns += 1) }; // a millisecond for each look
    await openStaticEmbedder({ clock }).embed(Array.from({ length: 100 }, () => 'acme: fixed a leak'));
    expect(turns).toBeGreaterThan(10);
  });
});
