import { compareCodeUnits } from '../alphabetical.ts';
import type { CollectionMember } from './events.ts';

const last = Number.POSITIVE_INFINITY;

/** Those with a position first. Members of the same position differ by what they are called, which is not known here. */
export const comparePositions = (a: CollectionMember, b: CollectionMember): number => {
  const [first, second] = [a.position ?? last, b.position ?? last];
  return first === second ? 0 : first - second;
};

/** One order for one set, so that sending the same members in another order changes nothing. */
export const inStoredOrder = (members: readonly CollectionMember[]): CollectionMember[] =>
  members.toSorted((a, b) => comparePositions(a, b) || compareCodeUnits(a.id, b.id));

export const withMember = (members: readonly CollectionMember[], member: CollectionMember): CollectionMember[] =>
  inStoredOrder([...members, member]);

export const withoutMember = (members: readonly CollectionMember[], memberId: string): CollectionMember[] =>
  members.filter(({ id }) => id !== memberId);
