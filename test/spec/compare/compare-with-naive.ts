import {
  compareCollectionFeeds,
  compareCollectionList,
  compareCollections,
  compareSiteNotice,
} from './compare-collections.ts';
import { compareLatest, compareOrgFeeds } from './compare-feeds.ts';
import { compareLookups } from './compare-lookups.ts';
import { compareNameLookups, compareOrgParts, compareSourceParts } from './compare-org-parts.ts';
import { compareOrgList, compareOrgs } from './compare-orgs.ts';
import { compareProducts, compareSources } from './compare-parts.ts';
import { comparePending, compareReleases } from './compare-releases.ts';
import { compareSourceTexts } from './compare-texts.ts';
import { compareMovedPages, compareWebPages } from './compare-web-pages.ts';
import type { Comparison } from './comparison.ts';

/** Asks every query and throws a `Difference` at the first answer that all events together do not give. */
export async function compareWithNaive(comparison: Comparison): Promise<void> {
  compareOrgList(comparison);
  await compareOrgs(comparison);
  await compareOrgParts(comparison);
  await compareOrgFeeds(comparison);
  await compareProducts(comparison);
  await compareSources(comparison);
  await compareSourceParts(comparison);
  await compareNameLookups(comparison);
  await compareSourceTexts(comparison);
  await compareLatest(comparison);
  await compareReleases(comparison);
  await comparePending(comparison);
  await compareLookups(comparison);
  compareCollectionList(comparison);
  await compareCollections(comparison);
  await compareCollectionFeeds(comparison);
  await compareSiteNotice(comparison);
  await compareWebPages(comparison);
  await compareMovedPages(comparison);
}
