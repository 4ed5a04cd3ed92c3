import { collectionDetail, collectionReads } from '../../../queries/collections/collection-detail.ts';
import { resolveCollection } from '../../catalogue/resolve.ts';
import type { Answer } from '../route.ts';
import type { Services } from '../services.ts';

/** The collection as it is once the read models have what was written. */
export const writtenCollection = async (
  { viewAfter }: Pick<Services, 'viewAfter'>,
  status: number,
  { id, position }: { readonly id: string; readonly position: number },
): Promise<Answer> => {
  const view = await viewAfter(collectionReads, position);
  const body = collectionDetail(view, { collection: id });
  // A purge of a member finds an answer that was kept for repeats by its id.
  const members = view.catalogue.membersOf(resolveCollection(view.catalogue, id));
  return { status, position, releaseIds: members.map(({ member }) => member.id), body };
};
