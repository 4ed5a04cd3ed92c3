import { collectionDetail, collectionReads } from '../../../queries/collections/collection-detail.ts';
import type { Answer } from '../route.ts';
import type { Services } from '../services.ts';

/** The collection as it is once the read models have what was written. */
export const writtenCollection = async (
  { viewAfter }: Pick<Services, 'viewAfter'>,
  status: number,
  { id, position }: { readonly id: string; readonly position: number },
): Promise<Answer> => {
  const view = await viewAfter(collectionReads, position);
  return { status, position, body: collectionDetail(view, { collection: id }) };
};
