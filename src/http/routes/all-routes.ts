import type { Route } from '../route.ts';
import { activityRoutes } from './activity.ts';
import { changelogRoutes } from './changelogs.ts';
import { collectionRoutes } from './collections.ts';
import { dayRoutes } from './days.ts';
import { lookupReadRoutes } from './lookups-read.ts';
import { lookupRoutes } from './lookups.ts';
import { orgRoutes } from './orgs.ts';
import { productReadRoutes } from './products-read.ts';
import { productRoutes } from './products.ts';
import { releaseRoutes } from './releases.ts';
import { healthRoutes, indexRoutes } from './self-description.ts';
import { siteNoticeRoutes } from './site-notice.ts';
import { sourceListRoutes } from './sources-list.ts';
import { sourceReadRoutes } from './sources-read.ts';
import { sourceRoutes } from './sources.ts';
import { summaryRoutes } from './summaries.ts';
import { tagRoutes } from './tags.ts';
import { tokenRoutes } from './tokens.ts';
import { webhookRoutes } from './webhooks.ts';

/** Below `/v1`. Where two patterns match a path, the earlier one is taken. */
export const allRoutes: readonly Route[] = [
  ...indexRoutes,
  ...orgRoutes,
  ...productReadRoutes,
  ...productRoutes,
  ...sourceListRoutes,
  ...sourceReadRoutes,
  ...sourceRoutes,
  ...changelogRoutes,
  ...summaryRoutes,
  ...releaseRoutes,
  ...dayRoutes,
  ...activityRoutes,
  ...lookupReadRoutes,
  ...lookupRoutes,
  ...collectionRoutes,
  ...tagRoutes,
  ...siteNoticeRoutes,
  ...tokenRoutes,
  ...webhookRoutes,
];

/** Below the host root. */
export const rootRoutes: readonly Route[] = healthRoutes;
