import type { OrgDocument } from '../../projections/org/org.ts';

const matches = ({ nameKey, slug }: OrgDocument, q: string): boolean => nameKey.includes(q) || slug.includes(q);

/** Names and slugs of all orgs as one text: searching it is many times faster than searching each of them. */
const createOrgNames = (orgs: readonly OrgDocument[]) => {
  const names = orgs.map(({ nameKey, slug }) => `${nameKey}\n${slug}\n`);
  const text = names.join('');

  return (q: string): OrgDocument[] => {
    if (q === '') return [...orgs];
    const found: OrgDocument[] = [];
    let index = 0;
    let endsAt = names[0]?.length ?? 0;
    let hit = text.indexOf(q);
    while (hit >= 0 && index < orgs.length) {
      while (endsAt <= hit) {
        index += 1;
        endsAt += (names[index] as string).length;
      }
      const org = orgs[index] as OrgDocument;
      const isFound = matches(org, q); // and not where one name ends and another begins
      if (isFound) found.push(org);
      hit = text.indexOf(q, isFound ? endsAt : hit + 1);
    }
    return found;
  };
};

/** Finds orgs by a part of their name or slug, in lower case; in the order of the list. */
export const createOrgSearch = (orgs: () => readonly OrgDocument[]) => {
  let searched: readonly OrgDocument[] | undefined;
  let search = createOrgNames([]);
  return (q: string): readonly OrgDocument[] => {
    const current = orgs();
    if (current !== searched) {
      searched = current;
      search = createOrgNames(current);
    }
    return search(q);
  };
};
