/** What the oracle leaves out of answers that it computes otherwise, and why. A key stands for itself wherever it is. */
const uncomputedKeys: Readonly<Record<string, readonly string[]>> = {
  'records of fetches and of vectors, which are no events': [
    ...['lastFetchedAt', 'lastPolledAt', 'changeDetectedAt', 'nextFetchAfter', 'lastRetieredAt', 'embeddedAt'],
    ...['stars', 'starsFetchedAt', 'consecutiveNoChange', 'consecutiveErrors', 'recentActivity'],
  ],
  'how an overview was made, beside its text': [
    ...['overview.scope', 'overview.orgSlug', 'overview.productSlug', 'overview.releaseCount', 'overview.citations'],
    ...['overview.lastContributingReleaseAt', 'overview.generatedAt', 'overview.updatedAt'],
  ],
  'read page by page beside the rest': ['answer.releases', 'answer.pagination'],
  'settings that are told as they were given': [
    ...['autoGenerateContent', 'fetchPaused', 'overviewCadenceDays', 'fetchPriority', 'discovery', 'description'],
    ...[
      'avatarUrl',
      'answer.tags',
      'answer.aliases',
      'answer.url',
      'products.url',
      'products.createdAt',
      'sources.url',
    ],
  ],
  'of the words of stored settings, which tests of their own look at': [
    ...['notice', 'locations', 'metadata', 'changelogUrl', 'appStore', 'video'],
  ],
  'a sum over the parts of a file, which only its own outline knows': ['totalTokens'],
  'addresses of a file, which follow from the source of the test': ['files.url', 'rawUrl'],
  'of the decision that links a release, which histories of releases tell': ['reason', 'decidedBy', 'decidedAt'],
  'of a tag that nobody made, whose name is the spelling that came first': ['answer.name'],
};

const endings = Object.values(uncomputedKeys)
  .flat()
  .map((key) => `.${key}`);

export const isUncomputed = (path: string): boolean => {
  const place = path.replaceAll(/\[\d+\]/g, '');
  return endings.some((ending) => place.endsWith(ending));
};
