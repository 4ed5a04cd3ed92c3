import { type Category, categories } from '../../src/domain/enumerations.ts';
import { notFound } from '../../src/kernel/errors.ts';

/** Those whose words are not written as others are. */
const ownNames: Partial<Record<Category, string>> = { ai: 'AI', crm: 'CRM', devops: 'DevOps' };

const titleCase = (slug: string): string =>
  slug.replace(/(^|-)([a-z])/g, (_, hyphen: string, letter: string) => `${hyphen && ' '}${letter.toUpperCase()}`);

export const resolveCategory = (slug: string): Category => {
  const category = categories.find((each) => each === slug);
  if (category === undefined) throw notFound('category', slug);
  return category;
};

/** What a category is called; nobody describes them yet. */
export const categoryCard = (category: Category) => ({
  slug: category,
  name: ownNames[category] ?? titleCase(category),
  description: null,
});
