export interface BatchLimits {
  readonly textsMax: number;
  readonly bytesMax: number;
}

/** Cuts a list of texts into batches of a bounded size, so that one large call does not hold up all others. */
export function* textBatches(texts: readonly string[], { textsMax, bytesMax }: BatchLimits): Generator<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const text of texts) {
    const ownBytes = Buffer.byteLength(text);
    if (batch.length > 0 && (bytes + ownBytes > bytesMax || batch.length === textsMax)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(text);
    bytes += ownBytes;
  }
  if (batch.length > 0) yield batch;
}
