import { get_encoding } from 'tiktoken';
import { afterAll, expect, it } from 'vitest';
import { rankOf } from '../../../src/adapters/tokenizer/vocabulary.ts';

const tiktoken = get_encoding('cl100k_base');
afterAll(() => tiktoken.free());

it('ranks every token as tiktoken does', () => {
  const ranks = Array.from({ length: 100_256 }, (_, rank) => rank);
  const wrong = ranks.filter((rank) => {
    const bytes = tiktoken.decode_single_token_bytes(rank);
    return rankOf(bytes, 0, bytes.length) !== rank;
  });
  expect(wrong).toEqual([]);
});

it('knows no other bytes', () => {
  expect(rankOf(Buffer.from('zqxjkvzq'), 0, 8)).toBe(-1);
  expect(rankOf(Buffer.alloc(129, ' '), 0, 129)).toBe(-1);
});
