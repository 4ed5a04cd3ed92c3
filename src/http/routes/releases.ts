import type { Route } from '../route.ts';
import { releaseCoverageRoutes } from './releases-coverage.ts';
import { releaseEditRoutes } from './releases-edit.ts';
import { releaseIngestRoutes } from './releases-ingest.ts';
import { releaseReadRoutes } from './releases-read.ts';
import { releaseSuppressRoutes } from './releases-suppress.ts';

export const releaseRoutes: readonly Route[] = [
  ...releaseReadRoutes,
  ...releaseIngestRoutes,
  ...releaseEditRoutes,
  ...releaseSuppressRoutes,
  ...releaseCoverageRoutes,
];
