import { hash } from 'node:crypto';
import { createPageSize } from '../../../kernel/paging/page-size.ts';
import type { Projection } from '../../../kernel/projection.ts';
import type { ReadModel } from '../../../ports/read-models.ts';
import { isInPart } from './document-part.ts';

/** What a store holds of a read model, as digests. */
export interface DocumentSample {
  /** Of the whole read model. */
  readonly documents: number;
  /** 1 when the digests are of all documents. */
  readonly share: number;
  readonly digests: ReadonlyMap<string, string>;
  /** Of the documents that the digests are of, as JSON. */
  readonly bytes: number;
}

export interface SampleBounds {
  readonly documentsMax: number;
  readonly bytesMax: number;
}

export const digestOf = (text: string): string => hash('sha256', text, 'base64');

const pageBounds = { first: 1, countMax: 500, bytesMax: 2_000_000 };

interface Kept {
  readonly digest: string;
  readonly bytes: number;
}

/** Looks at every document once; where there are too many, only those are kept that a smaller share of hashes chooses. */
export async function sampleDocuments(
  projection: Projection,
  model: Pick<ReadModel, 'scan'>,
  { documentsMax, bytesMax }: SampleBounds,
  mayGoOn: () => Promise<void>,
): Promise<DocumentSample> {
  const kept = new Map<string, Kept>();
  let [documents, bytes, share] = [0, 0, 1];

  const halve = (): void => {
    share /= 2;
    for (const [id, one] of kept) {
      if (isInPart(projection, { share, parts: 1, remainder: 0 }, id)) continue;
      kept.delete(id);
      bytes -= one.bytes;
    }
  };

  const size = createPageSize(pageBounds);
  let afterId = '';
  for (;;) {
    await mayGoOn();
    const limit = size.count();
    const page = await model.scan(afterId, limit);
    let read = 0;
    for (const { doc } of page) {
      const text = JSON.stringify(doc);
      read += text.length;
      if (share < 1 && !isInPart(projection, { share, parts: 1, remainder: 0 }, doc.id)) continue;
      kept.set(doc.id, { digest: digestOf(text), bytes: text.length });
      bytes += text.length;
      while (kept.size > documentsMax || bytes > bytesMax) halve();
    }
    documents += page.length;
    if (page.length < limit) break;
    afterId = page.at(-1)!.doc.id;
    size.saw(page.length, read);
  }
  return { documents, share, bytes, digests: new Map([...kept].map(([id, { digest }]) => [id, digest])) };
}
