import { expect, test } from 'vitest';
import { z } from 'zod';
import { isDomainError } from '../../src/kernel/errors.ts';
import { parseInput } from '../../src/kernel/parse-input.ts';

const issuesOf = (schema: z.ZodType, input: unknown): readonly { path: string; message: string }[] => {
  try {
    parseInput(schema, input);
  } catch (error) {
    if (isDomainError(error, 'validation_failed')) return (error.details as { issues: [] }).issues;
    throw error;
  }
  return [];
};

test('says where each issue is', () => {
  const schema = z.strictObject({ releases: z.array(z.object({ title: z.string() })) });
  const issues = issuesOf(schema, { releases: [{ title: 'A' }, {}] });
  expect(issues.map(({ path }) => path)).toEqual(['releases[1].title']);
});

test('tells a hundred of many: a large body could have more of them than bytes', () => {
  const issues = issuesOf(z.array(z.string()), Array.from({ length: 5_000 }, Number));
  expect(issues).toHaveLength(100);
});
