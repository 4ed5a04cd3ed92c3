/** Longer ones are data: addresses, hashes. Of those each word is kept, cut to this. */
export const tokenCharsMax = 64;

export const cutToken = (token: string): string =>
  token.length <= tokenCharsMax ? token : token.slice(0, tokenCharsMax).replace(/[\ud800-\udbff]$/, '');

export const isVersion = (segment: string): boolean => /^v?\d+(?:\.\d+)+(?:[-+][^/@]*)?$/i.test(segment);

/** The numbers of a version, and the words behind them. */
export const versionParts = (version: string): { readonly core: string; readonly words: readonly string[] } => {
  const [core = '', ...rest] = withoutV(version).split(/[-+]/);
  return { core, words: rest.flatMap((part) => part.split(/[._~@]/)) };
};

/** Of a version with points: `v1.2` is what `1.2` is, while `v8` is a thing of its own. */
export const withoutV = (version: string): string => version.replace(/^v/i, '');
