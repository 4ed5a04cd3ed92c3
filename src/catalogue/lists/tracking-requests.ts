import type { OrgDocument } from '../../../projections/org/org.ts';
import { compareAlphabetically } from '../../domain/alphabetical.ts';
import { createSortedList } from './sorted-list.ts';

export type RequestedOrg = OrgDocument & { readonly trackingRequestedAt: string };

const isRequested = (org: OrgDocument): org is RequestedOrg =>
  org.trackingRequestedAt !== null && org.deletedAt === null;

const byLatestRequest = (a: RequestedOrg, b: RequestedOrg): number =>
  compareAlphabetically(b.trackingRequestedAt, a.trackingRequestedAt) || compareAlphabetically(a.id, b.id);

/** Orgs that somebody asked to be tracked, the latest request first. */
export const createTrackingRequests = () => {
  const list = createSortedList<RequestedOrg>(byLatestRequest);
  const placed = new Map<string, RequestedOrg>();

  const remove = (orgId: string) => {
    const before = placed.get(orgId);
    if (before === undefined) return;
    list.remove(before);
    placed.delete(orgId);
  };

  return {
    remove,
    place: (org: OrgDocument) => {
      remove(org.id);
      if (!isRequested(org)) return;
      list.add(org);
      placed.set(org.id, org);
    },
    items: list.items,
  };
};
