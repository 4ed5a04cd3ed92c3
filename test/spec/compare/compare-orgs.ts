import { orgDetail } from '../../../queries/orgs/org-detail.ts';
import { orgList } from '../../../queries/orgs/org-list.ts';
import { categories } from '../../../src/domain/enumerations.ts';
import { naiveOrgDetail, type NaiveOrgFilters, naiveOrgList } from '../naive/naive-org-parts.ts';
import type { NaiveOrg } from '../naive/naive-registry.ts';
import { showingOrg, showingOrgs } from '../naive/naive-view.ts';
import { answerOf, asAdmin, type Comparison, publicly, same, sameParts } from './comparison.ts';

/** Every page of a list, as everybody or as an admin who asks for hidden orgs too. */
const sameList = (comparison: Comparison, filter: NaiveOrgFilters, includeHidden: boolean): void => {
  const { reading, view, random } = comparison;
  const what = `org list ${JSON.stringify({ ...filter, includeHidden })}`;
  const { items } = naiveOrgList(includeHidden ? showingOrgs(view) : view, filter);
  const { emptyOrgCount } = naiveOrgList(view, filter); // of what everybody sees, whoever asks
  const limit = random.pick([1, 2, 500]);
  const totalPages = Math.max(1, Math.ceil(items.length / limit));
  for (let page = 1; page <= totalPages; page += 1) {
    const input = { ...filter, includeHidden, page, limit };
    const shown = items.slice((page - 1) * limit, page * limit);
    const totals = { totalItems: items.length, totalPages };
    const expected = {
      items: shown,
      pagination: { page, pageSize: limit, ...totals, returned: shown.length, hasMore: page < totalPages },
      meta: { emptyOrgCount },
    };
    same(what, expected, orgList(reading, input, (includeHidden ? asAdmin : publicly)(comparison)));
  }
};

export const compareOrgList = (comparison: Comparison): void => {
  const { random } = comparison;
  const all = { q: null, category: null, featured: false, includeEmpty: false };
  const filters = [
    all,
    { ...all, includeEmpty: true },
    { ...all, q: random.pick(['A', 'ac', 'ET', 'rocket', '-2', 'å']), includeEmpty: random.chance(50) },
    { ...all, category: random.pick(categories.slice(0, 3)), includeEmpty: random.chance(50) },
    { ...all, featured: true },
  ];
  for (const filter of filters) sameList(comparison, filter, false);
  sameList(comparison, { ...all, includeEmpty: true }, true);
  sameList(comparison, random.pick(filters), true);
};

export const compareOrgs = async (comparison: Comparison): Promise<void> => {
  const { reading, view } = comparison;
  const { orgs } = view.registry;
  for (const org of orgs) {
    const isVisible = view.orgs.includes(org);
    const expected = isVisible ? { answer: naiveOrgDetail(view, org) } : { refused: 'not_found' };
    same(`org ${org.id}`, expected, await answerOf(() => orgDetail(reading, { org: org.id }, publicly(comparison))));
    const forAdmin = org.deleted ? { refused: 'not_found' } : { answer: naiveOrgDetail(showingOrg(view, org.id), org) };
    same(
      `org ${org.id} for admin`,
      forAdmin,
      await answerOf(() => orgDetail(reading, { org: org.id }, asAdmin(comparison))),
    );
  }
  const namesOf = ({ slug, domain, aliases }: NaiveOrg) => [slug, ...(domain === null ? [] : [domain]), ...aliases];
  for (const name of new Set(orgs.flatMap(namesOf))) {
    const owner = view.orgs.find((org) => namesOf(org).includes(name));
    const expected = owner === undefined ? { refused: 'not_found' } : { answer: { id: owner.id } };
    const answer = await answerOf(() => orgDetail(reading, { org: name.toUpperCase() }, publicly(comparison)));
    sameParts(`org named ${name}`, expected, answer);
  }
};
