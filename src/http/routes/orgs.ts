import type { Route } from '../route.ts';
import { orgAccountRoutes } from './orgs-accounts.ts';
import { orgPartRoutes } from './orgs-parts.ts';
import { orgReadRoutes } from './orgs-read.ts';
import { orgTrackingRoutes } from './orgs-tracking.ts';
import { orgWriteRoutes } from './orgs-write.ts';
import { overviewRoutes } from './overviews.ts';
import { playbookRoutes } from './playbooks.ts';
import { tagListRoutes } from './tag-lists.ts';

export const orgRoutes: readonly Route[] = [
  ...orgReadRoutes,
  ...orgTrackingRoutes, // `/orgs/stub` before what an org's slug could be
  ...orgWriteRoutes,
  ...orgPartRoutes,
  ...orgAccountRoutes,
  ...tagListRoutes,
  ...overviewRoutes,
  ...playbookRoutes,
];
