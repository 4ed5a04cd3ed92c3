/** What the oracle leaves out of answers that it computes otherwise, and why. A key stands for itself wherever it is. */
const uncomputedKeys: Readonly<Record<string, readonly string[]>> = {
  'read page by page beside the rest': [
    ...['answer.releases', 'answer.pagination', 'answer.product.releases', 'answer.product.pagination'],
    ...['answer.source.releases', 'answer.source.pagination'],
  ],
};

const endings = Object.values(uncomputedKeys)
  .flat()
  .map((key) => `.${key}`);

export const isUncomputed = (path: string): boolean => {
  const place = path.replaceAll(/\[\d+\]/g, '');
  return endings.some((ending) => place.endsWith(ending));
};
