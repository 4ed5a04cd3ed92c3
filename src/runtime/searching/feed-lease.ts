/** Who holds it feeds an index, with words and with vectors. */
export const feedLeaseName = 'search';
export const feedLeaseTtlMs = 10_000;
