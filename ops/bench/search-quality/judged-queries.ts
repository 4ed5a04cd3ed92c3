import { createHash } from 'node:crypto';
import { z } from 'zod';
import queries from '../../../test/fixtures/search/queries.json' with { type: 'json' };

/**
 * identifier: a name, flag or error code as it stands in the text. words: a few words that stand there. paraphrase: what is
 * meant, in none of the words that stand there. scoped: with a package and a version, or a part of them.
 */
export const queryKinds = ['identifier', 'words', 'paraphrase', 'scoped'] as const;
export type QueryKind = (typeof queryKinds)[number];

const judgedRelease = z.strictObject({
  package: z.string().min(1),
  /** As the parser of changelogs names it. */
  version: z.string().regex(/^\d+(\.\d+)*(-[\w.-]+)?$/),
  /** 3: exactly what is asked for. 2: clearly about it. 1: touches it. */
  grade: z.literal([1, 2, 3]),
});

const judgedQuery = z.strictObject({
  id: z.string().regex(/^[a-z]+-\d{2}$/),
  kind: z.enum(queryKinds),
  q: z.string().min(1).max(100),
  /** The main answer comes first. */
  judged: z.array(judgedRelease).min(1),
});
export type JudgedQuery = z.infer<typeof judgedQuery>;

export const readJudgedQueries = (): readonly JudgedQuery[] => z.array(judgedQuery).parse(queries);

/**
 * Half of the queries are kept away from whoever tunes the search, so that the figures over them tell what others will find.
 * By a hash of the id, so that no query changes sides when another one is added; the word before it halves every kind.
 */
export const isHeldOut = (id: string): boolean => createHash('sha256').update(`heldout${id}`).digest()[0]! % 2 === 0;
