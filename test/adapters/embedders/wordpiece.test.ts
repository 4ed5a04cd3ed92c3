import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { modelFile } from '../../../src/adapters/embedders/model-file.ts';
import { createWordPieces } from '../../../src/adapters/embedders/wordpiece.ts';
import minilm from '../../fixtures/embedders/minilm.json' with { type: 'json' };
import statics from '../../fixtures/embedders/static.json' with { type: 'json' };

const piecesOf = (vocabulary: string) => createWordPieces(readFileSync(modelFile(vocabulary), 'utf8'));

const ofMiniLm = piecesOf('minilm/vocab.txt');
const ofStatic = piecesOf('static/vocab.txt');

describe('pieces of words', () => {
  it.each(minilm.items)('are those that MiniLM was taught: $text', ({ text, token_ids: expected }) => {
    const [first, last] = [101, 102];
    expect([first, ...ofMiniLm.idsOf(text, 254), last]).toEqual(expected);
  });

  it.each(statics.items)('are those of the static model, without unknown words: $text', ({ text, token_ids }) => {
    const { idsOf, unknownId } = ofStatic;
    expect(idsOf(text, 8_000).filter((id) => id !== unknownId)).toEqual(token_ids);
  });

  const small = ['[UNK]', 'go', '##es', '##e', '🎉', '$', '##🎉'].join('\n');

  it('are the longest that fit, and one unknown piece where some part fits nothing', () => {
    const { idsOf } = createWordPieces(`${small}\n`);
    expect(idsOf('Goes goe gox $go 🎉 go🎉', 20)).toEqual([1, 2, 1, 3, 0, 5, 1, 4, 1, 6]);
  });

  it('count a word by its characters, not by the halves that some are stored in', () => {
    const { idsOf } = createWordPieces(small);
    expect(idsOf(`go${'🎉'.repeat(98)}`, 200)).toHaveLength(99);
    expect(idsOf(`go${'🎉'.repeat(99)}`, 200)).toEqual([0]);
  });

  it('are no more than asked for, and the same when asked again', () => {
    const { idsOf } = createWordPieces(small);
    expect(idsOf('goes goes goes', 3)).toEqual([1, 2, 1]);
    expect(idsOf('goes goes goes', 3)).toEqual([1, 2, 1]);
  });

  it('stay right when there were more words than are kept', () => {
    const { idsOf } = createWordPieces(small);
    for (let word = 0; word < 50_000; word += 1) idsOf(`word${word}`, 10);
    expect(idsOf('goes word1', 10)).toEqual([1, 2, 0]);
  });

  it('need a vocabulary that can say that a word is unknown', () => {
    expect(() => createWordPieces('go\n##es\n')).toThrow('unknown words');
  });
});
