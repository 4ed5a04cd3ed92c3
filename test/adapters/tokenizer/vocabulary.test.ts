import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { rankOf } from '../../../src/adapters/tokenizer/vocabulary.ts';

it('ranks every token as the published vocabulary does', () => {
  const file = createRequire(import.meta.url).resolve('gpt-tokenizer/data/cl100k_base.tiktoken');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const wrong = lines.filter((line) => {
    const [base64, rank] = line.split(' ');
    const bytes = Buffer.from(base64!, 'base64');
    return rankOf(bytes, 0, bytes.length) !== Number(rank);
  });
  expect(wrong).toEqual([]);
  expect(lines).toHaveLength(100_256);
});

it('knows no other bytes', () => {
  expect(rankOf(Buffer.from('zqxjkvzq'), 0, 8)).toBe(-1);
  expect(rankOf(Buffer.alloc(129, ' '), 0, 129)).toBe(-1);
});
