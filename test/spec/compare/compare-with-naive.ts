import { compareActivity } from './compare-activity.ts';
import { compareCategories, compareTags } from './compare-categories.ts';
import {
  compareCollectionFeeds,
  compareCollectionList,
  compareCollections,
  compareSiteNotice,
} from './compare-collections.ts';
import { compareLatest, compareOrgFeeds } from './compare-feeds.ts';
import { compareOrgHistories, compareReleaseHistories } from './compare-histories.ts';
import { compareProductList, compareSourceList } from './compare-lists.ts';
import { compareLookups } from './compare-lookups.ts';
import { compareManifests } from './compare-manifests.ts';
import { compareNumberedPages } from './compare-numbered-pages.ts';
import { compareNameLookups, compareOrgParts, compareSourceParts } from './compare-org-parts.ts';
import { compareOrgList, compareOrgs } from './compare-orgs.ts';
import { comparePast } from './compare-past.ts';
import { compareProducts, compareSources } from './compare-parts.ts';
import { comparePending, compareReleases } from './compare-releases.ts';
import { compareStats } from './compare-stats.ts';
import { compareSourceTexts } from './compare-texts.ts';
import { compareWhatsChanged } from './compare-whats-changed.ts';
import { compareMovedPages, compareWebPages } from './compare-web-pages.ts';
import type { Comparison } from './comparison.ts';

/** Asks every query and throws a `Difference` at the first answer that all events together do not give. */
export async function compareWithNaive(comparison: Comparison): Promise<void> {
  compareOrgList(comparison);
  await compareOrgs(comparison);
  await compareOrgParts(comparison);
  await compareOrgHistories(comparison);
  await compareOrgFeeds(comparison);
  await compareProductList(comparison);
  await compareSourceList(comparison);
  await compareProducts(comparison);
  await compareSources(comparison);
  await compareSourceParts(comparison);
  await compareNumberedPages(comparison);
  compareActivity(comparison);
  await compareNameLookups(comparison);
  await compareSourceTexts(comparison);
  await compareLatest(comparison);
  await compareReleases(comparison);
  await compareReleaseHistories(comparison);
  await comparePending(comparison);
  await comparePast(comparison);
  await compareLookups(comparison);
  compareCollectionList(comparison);
  await compareCollections(comparison);
  await compareCollectionFeeds(comparison);
  await compareSiteNotice(comparison);
  await compareWhatsChanged(comparison);
  await compareCategories(comparison);
  await compareTags(comparison);
  await compareStats(comparison);
  await compareManifests(comparison);
  await compareWebPages(comparison);
  await compareMovedPages(comparison);
}
