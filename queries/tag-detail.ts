import { type TagDocument, tagsProjection } from '../projections/tags/tags.ts';
import { catalogueReads } from '../src/catalogue/catalogue.ts';
import { isOrgVisible, isProductVisible } from '../src/catalogue/visibility.ts';
import { alphabeticalSet } from '../src/domain/alphabetical.ts';
import { byName } from '../src/domain/name-key.ts';
import { sameTag, tagKeyOf } from '../src/domain/tag-list.ts';
import { notFound } from '../src/kernel/errors.ts';
import { newEntityId } from '../src/kernel/ids.ts';
import { hyphenated } from '../src/kernel/slugs.ts';
import { listedOrg, listedProduct } from './shape/listed-entities.ts';
import type { QueryDeps } from './shape/query-deps.ts';

export const tagReads = [...catalogueReads, tagsProjection];

type Deps = Pick<QueryDeps, 'models' | 'catalogue'>;
type CatalogueDeps = Pick<QueryDeps, 'catalogue'>;

/** What everybody sees with a tag of that slug, however it is spelled. */
const tagged = ({ catalogue }: CatalogueDeps, slug: string) => ({
  orgs: catalogue.orgsByTag(slug).filter((org) => isOrgVisible(org)),
  products: catalogue.productsByTag(slug).filter((product) => isProductVisible(catalogue, product)),
});

/** The spellings of the tags that have this slug and that somebody carries; the first is the one that the slug finds. */
export const namesInUse = (catalogue: QueryDeps['catalogue'], slug: string): string[] => {
  if (slug === '') return [];
  const { orgs, products } = tagged({ catalogue }, slug);
  const tags = [...orgs, ...products].flatMap((carrier) => carrier.tags.filter((tag) => hyphenated(tag) === slug));
  return alphabeticalSet(tags);
};

type ModelDeps = Pick<QueryDeps, 'models'>;

/** The tag that somebody made by this name, in any case. */
export const madeTagNamed = async ({ models }: ModelDeps, name: string): Promise<TagDocument | undefined> =>
  (await models.of(tagsProjection).get([newEntityId('tag', tagKeyOf(name))]))[0];

/** The tag that somebody made and that has this slug. */
export const madeTagAt = async ({ models }: ModelDeps, slug: string): Promise<TagDocument | undefined> =>
  (await models.of(tagsProjection).query({ index: 'bySlug', equals: { slug }, limit: 1 }))[0];

/** Of a tag that somebody made, else of one that is in use: then the first of those that share the slug. */
const nameOf = async (deps: Deps, slug: string): Promise<string | undefined> => {
  const made = await madeTagAt(deps, slug);
  return made === undefined ? namesInUse(deps.catalogue, slug)[0] : made.name;
};

/** The orgs and products with a tag, by name (contract 10.3). */
export const tagDetail = async (deps: Deps, { tag: slug }: { readonly tag: string }) => {
  const name = await nameOf(deps, slug);
  if (name === undefined) throw notFound('tag', slug);
  const { orgs, products } = tagged(deps, hyphenated(name));
  const hasTag = ({ tags }: { readonly tags: readonly string[] }) => tags.some((tag) => sameTag(tag, name));
  return {
    slug,
    name,
    orgs: orgs.filter(hasTag).sort(byName).map(listedOrg),
    products: products
      .filter(hasTag)
      .sort(byName)
      .map((product) => listedProduct(deps.catalogue, product)),
  };
};
