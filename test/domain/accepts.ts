import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { ZodType } from 'zod';

interface Bounds {
  readonly accepted: readonly unknown[];
  readonly refused: readonly unknown[];
}

const shown = (value: unknown): string =>
  inspect(value, { maxStringLength: 40, maxArrayLength: 3, breakLength: Infinity });

/** One test per field: its accepted values pass beside the base, its refused ones are reported at that field. */
export function fieldBounds(schema: ZodType, base: object, fields: Readonly<Record<string, Bounds>>): void {
  test.each(Object.entries(fields))('%s', (field, { accepted, refused }) => {
    for (const value of accepted) {
      const result = schema.safeParse({ ...base, [field]: value });
      expect(result.error?.issues, `should accept ${shown(value)}`).toBeUndefined();
    }
    for (const value of refused) {
      const paths = schema.safeParse({ ...base, [field]: value }).error?.issues.map(({ path }) => path[0]);
      expect(paths, `should refuse ${shown(value)}`).toContain(field);
    }
  });
}

export const text = (chars: number): string => 'x'.repeat(chars);

/** Refused by every text field (contract 1.5). */
export const uncleanTexts = ['nul\0', 'lone \ud800 surrogate'];

/** An address of exactly so many characters. */
export const address = (chars: number, start = 'https://a.example/'): string => start + text(chars - start.length);

export const times = (count: number, item: (index: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, index) => item(index));
