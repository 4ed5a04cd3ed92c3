import { hash } from 'node:crypto';
import { createPageSize } from '../../../kernel/paging/page-size.ts';
import type { Projection } from '../../../kernel/projection.ts';
import type { ReadModel, StoredText, TextPlace } from '../../../ports/read-models.ts';
import { fitTogether, type HeldDocuments, isInShare } from './document-share.ts';

/** What a store holds of a read model, as digests. */
export interface DocumentSample extends HeldDocuments {
  /** Of the whole read model. */
  readonly documents: number;
  /** Of the documents of its share, by their ids. */
  readonly digestOf: (id: string) => string | undefined;
  readonly ids: () => Iterable<string>;
}

export interface SampleBounds {
  readonly documentsMax: number;
  /** What the documents of all read models that are verified together may take. */
  readonly bytesMax: number;
}

export const digestOf = (text: string): string => hash('sha256', text, 'base64');

const pageBounds = { first: 1, countMax: 500, bytesMax: 2_000_000 };

interface Kept {
  readonly digest: string;
  readonly bytes: number;
}

/**
 * Looks at every document once; where there are too many, only those are kept that a smaller share of hashes chooses.
 * `bytesHeldOf` tells what a fold keeps of a document.
 */
export async function sampleDocuments(
  projection: Projection,
  model: Pick<ReadModel, 'scanTexts'>,
  { documentsMax, bytesMax }: SampleBounds,
  { bytesHeldOf, mayGoOn }: { readonly bytesHeldOf: (text: string) => number; readonly mayGoOn: () => Promise<void> },
): Promise<DocumentSample> {
  const kept = new Map<string, Kept>();
  let [documents, bytes, share] = [0, 0, 1];

  const halve = (): void => {
    share /= 2;
    for (const [id, one] of kept) {
      if (isInShare(projection, share, id)) continue;
      kept.delete(id);
      bytes -= one.bytes;
    }
  };
  const held: HeldDocuments = { share: () => share, bytes: () => bytes, halve };

  const size = createPageSize(pageBounds);
  let after: TextPlace | null = null;
  for (;;) {
    await mayGoOn();
    const limit = size.count();
    const page: readonly StoredText[] = await model.scanTexts(after, limit);
    let read = 0;
    for (const { id, text } of page) {
      read += text.length;
      if (!isInShare(projection, share, id)) continue;
      const one = { digest: digestOf(text), bytes: bytesHeldOf(text) };
      kept.set(id, one);
      bytes += one.bytes;
      while (kept.size > documentsMax) halve();
      fitTogether([held], bytesMax);
    }
    documents += page.length;
    if (page.length < limit) break;
    after = page.at(-1)!.place;
    size.saw(page.length, read);
  }
  return { ...held, documents, digestOf: (id) => kept.get(id)?.digest, ids: () => kept.keys() };
}
