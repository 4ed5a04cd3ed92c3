const batchUnitsMax = 1_000_000;
const batchTextsMax = 1000;

/** Cuts the texts into messages of a bounded size, so that one large call does not hold up all others. */
export function* textBatches(texts: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let units = 0;
  for (const text of texts) {
    if (batch.length > 0 && (units + text.length > batchUnitsMax || batch.length === batchTextsMax)) {
      yield batch;
      batch = [];
      units = 0;
    }
    batch.push(text);
    units += text.length;
  }
  if (batch.length > 0) yield batch;
}
