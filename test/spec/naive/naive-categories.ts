import { categories } from '../../../src/domain/enumerations.ts';
import type { NaiveOrg, NaiveProduct, NaiveSource } from './naive-registry.ts';
import { inAlphabet, inOrderOfNames, type NaiveView, orgOf, shownProduct } from './naive-view.ts';

const listed = (view: NaiveView, orgs: readonly NaiveOrg[], products: readonly NaiveProduct[]) => ({
  orgs: inOrderOfNames(orgs).map(({ slug, name, domain, avatarUrl }) => ({ slug, name, domain, avatarUrl })),
  products: inOrderOfNames(products).map(({ slug, name, description, orgId }) => {
    const org = view.orgs.find(({ id }) => id === orgId);
    return { slug, name, description, orgSlug: org?.slug, orgName: org?.name };
  }),
});

const inCategory = (view: NaiveView, category: string) => ({
  orgs: view.orgs.filter((org) => org.category === category),
  products: view.products.filter((product) => product.category === category),
});

const abbreviations: Readonly<Record<string, string>> = { ai: 'AI', crm: 'CRM', devops: 'DevOps' };
export const naiveCategoryName = (slug: string): string =>
  slug
    .replaceAll(/[a-z]+/g, (word) => abbreviations[word] ?? `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .replaceAll('-', ' ');

/** Contract 10.3. */
export const naiveCategoryList = (view: NaiveView) =>
  categories.map((slug) => {
    const { orgs, products } = inCategory(view, slug);
    return {
      slug,
      name: naiveCategoryName(slug),
      description: null,
      orgCount: orgs.length,
      productCount: products.length,
    };
  });

export const naiveCategoryDetail = (view: NaiveView, slug: string) => {
  const { orgs, products } = inCategory(view, slug);
  return { slug, name: naiveCategoryName(slug), description: null, ...listed(view, orgs, products) };
};

/** Those whose releases belong to it. */
export const sourcesOfCategory = (view: NaiveView, category: string): NaiveSource[] =>
  view.sources.filter(
    (source) => (shownProduct(view, source)?.category ?? orgOf(view, source)?.category ?? null) === category,
  );

/** Names of histories hold letters only, so a slug is the name in lower case. */
export const naiveTagDetail = (view: NaiveView, slug: string) => {
  const hasTag = ({ tags }: { readonly tags: readonly string[] }) => tags.some((tag) => tag.toLowerCase() === slug);
  const [orgs, products] = [view.orgs.filter(hasTag), view.products.filter(hasTag)];
  const made = view.registry.tags.find((tag) => tag.slug === slug);
  const used = [...orgs, ...products].flatMap(({ tags }) => tags.filter((tag) => tag.toLowerCase() === slug));
  const name = made?.name ?? inAlphabet(used)[0];
  return name === undefined ? { refused: 'not_found' } : { answer: { slug, name, ...listed(view, orgs, products) } };
};
