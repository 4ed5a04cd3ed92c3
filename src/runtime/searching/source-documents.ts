import { inheritedCategory } from '../../domain/inherited-category.ts';
import { entryText } from '../../search/entries/entry-text.ts';
import { type NamedSource, namedSources, namesText } from './source-names.ts';
import type { LoadDocuments } from './made-document.ts';
import type { LoadTexts } from './texts-to-embed.ts';

/** What a source is about, in the words of those who described it. */
const aboutText = ({ product, org }: NamedSource): string =>
  [product?.description, org?.description, inheritedCategory(product?.category, org?.category)]
    .filter((part) => part != null)
    .join('\n');

/** As they are indexed now: one document for each source, whoever sees it. */
export const sourceDocuments: LoadDocuments = async (models, ids) => {
  const named = await namedSources(models, ids);
  const docs = new Map(
    [...named].map(([id, each]) => [
      id,
      {
        id,
        sourceId: id,
        texts: { title: each.source.name, names: namesText(each), body: aboutText(each) },
        publishedMs: null,
        isCoverage: false,
        isBare: false,
      },
    ]),
  );
  return { docs, unsure: new Set(), hidden: new Set() };
};

/** One text for each: sources are alike when what they are called and described by is. */
export const sourceTextsToEmbed: LoadTexts = async (models, ids) => {
  const named = await namedSources(models, ids);
  return new Map(
    [...named].map(([id, each]) => {
      const text = `${namesText(each)}\n${aboutText(each)}`.trim().replaceAll('\n', '. ');
      return [id, { sourceId: id, entries: [entryText(text)] }];
    }),
  );
};
