import { allProjections } from '../../../projections/all-projections.ts';
import type { QueryDeps } from '../../../queries/shape/query-deps.ts';
import type { ReadModel } from '../../../src/ports/read-models.ts';
import { Difference } from './comparison.ts';

interface Row {
  readonly id: string;
  readonly position: number;
  readonly text: string;
}

const rowsOf = async (model: ReadModel): Promise<Row[]> => {
  const rows: Row[] = [];
  for (;;) {
    const found = await model.scan(rows.at(-1)?.id ?? '', 500);
    rows.push(...found.map(({ doc, position }) => ({ id: doc.id, position, text: JSON.stringify(doc) })));
    if (found.length < 500) return rows;
  }
};

const lineOf = ({ id, position, text }: Row): string => `${id} at ${position}: ${text}`;

/** Throws a `Difference` unless both hold the same documents, byte for byte, made by the same events. */
export async function compareGenerations(live: QueryDeps, rebuilt: QueryDeps): Promise<void> {
  for (const projection of allProjections) {
    const { name } = projection;
    const sides = [live, rebuilt].map(({ models }) => rowsOf(models.of(projection)));
    const [before = [], after = []] = await Promise.all(sides);
    const [expected, actual] = [before.map(lineOf), after.map(lineOf)];
    const lines = Math.max(expected.length, actual.length);
    for (let index = 0; index < lines; index += 1) {
      if (expected[index] === actual[index]) continue;
      const short = (line: string | undefined) => (line ?? 'nothing').slice(0, 300);
      throw new Difference(`rebuilt ${name} has ${short(actual[index])}, live has ${short(expected[index])}`);
    }
  }
}
