import type { Route } from '../route.ts';
import { categoryRoutes } from './categories.ts';
import { activityRoutes } from './activity.ts';
import { changelogRoutes } from './changelogs.ts';
import { collectionRoutes } from './collections.ts';
import { dayRoutes } from './days.ts';
import { fetchRoutes } from './fetches.ts';
import { historyRoutes } from './histories.ts';
import { lookupReadRoutes } from './lookups-read.ts';
import { lookupRoutes } from './lookups.ts';
import { manifestRoutes, schemaRoutes } from './manifests.ts';
import { orgRoutes } from './orgs.ts';
import { productReadRoutes } from './products-read.ts';
import { productRoutes } from './products.ts';
import { relatedRoutes } from './related.ts';
import { releaseRoutes } from './releases.ts';
import { catalogRoutes, healthRoutes, indexRoutes } from './self-description.ts';
import { searchRoutes } from './search.ts';
import { siteNoticeRoutes } from './site-notice.ts';
import { sourceListRoutes } from './sources-list.ts';
import { sourceReadRoutes } from './sources-read.ts';
import { sourceRoutes } from './sources.ts';
import { statsRoutes } from './stats.ts';
import { summaryRoutes } from './summaries.ts';
import { tagRoutes } from './tags.ts';
import { tokenRoutes } from './tokens.ts';
import { webhookRoutes } from './webhooks.ts';
import { whatsChangedRoutes } from './whats-changed.ts';

/** Below `/v1`. Where two patterns match a path, the earlier one is taken. */
export const allRoutes: readonly Route[] = [
  ...indexRoutes,
  ...statsRoutes,
  ...orgRoutes,
  ...manifestRoutes,
  ...productReadRoutes,
  ...productRoutes,
  ...sourceListRoutes,
  ...sourceReadRoutes,
  ...sourceRoutes,
  ...fetchRoutes,
  ...changelogRoutes,
  ...summaryRoutes,
  ...releaseRoutes,
  ...dayRoutes,
  ...historyRoutes,
  ...activityRoutes,
  ...lookupReadRoutes,
  ...lookupRoutes,
  ...collectionRoutes,
  ...categoryRoutes,
  ...tagRoutes,
  ...siteNoticeRoutes,
  ...tokenRoutes,
  ...webhookRoutes,
  ...whatsChangedRoutes,
  ...searchRoutes,
  ...relatedRoutes,
];

/** Below the host root. */
export const rootRoutes: readonly Route[] = [...healthRoutes, ...catalogRoutes, ...schemaRoutes];
