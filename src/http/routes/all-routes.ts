import type { Route } from '../route.ts';
import { collectionRoutes } from './collections.ts';
import { orgRoutes } from './orgs.ts';
import { productRoutes } from './products.ts';
import { releaseRoutes } from './releases.ts';
import { healthRoutes, indexRoutes } from './self-description.ts';
import { siteNoticeRoutes } from './site-notice.ts';
import { sourceRoutes } from './sources.ts';
import { tagRoutes } from './tags.ts';
import { tokenRoutes } from './tokens.ts';
import { webhookRoutes } from './webhooks.ts';

/** Below `/v1`. Where two patterns match a path, the earlier one is taken. */
export const allRoutes: readonly Route[] = [
  ...indexRoutes,
  ...orgRoutes,
  ...productRoutes,
  ...sourceRoutes,
  ...releaseRoutes,
  ...collectionRoutes,
  ...tagRoutes,
  ...siteNoticeRoutes,
  ...tokenRoutes,
  ...webhookRoutes,
];

/** Below the host root. */
export const rootRoutes: readonly Route[] = healthRoutes;
