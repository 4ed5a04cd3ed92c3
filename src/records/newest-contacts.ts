type Contact = readonly [sourceId: string, ms: number];

/** How many of the newest contacts have a later or equal time. */
const placeOf = (newest: readonly Contact[], ms: number): number => {
  let [low, high] = [0, newest.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (newest[middle]![1] >= ms) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** So many of the sources that are wanted as were in contact last, the newest first: there may be very many others. */
export const newestContacts = (
  contacts: Iterable<Contact>,
  isWanted: (sourceId: string) => boolean,
  count: number,
): readonly Contact[] => {
  const newest: Contact[] = [];
  for (const contact of contacts) {
    const [sourceId, ms] = contact;
    const last = newest[count - 1];
    if (last !== undefined && ms <= last[1]) continue; // most are, and need not be looked up
    if (!isWanted(sourceId)) continue;
    newest.splice(placeOf(newest, ms), 0, contact);
    if (newest.length > count) newest.pop();
  }
  return newest;
};
