import type { Route } from '../route.ts';
import { releaseEditRoutes } from './releases-edit.ts';
import { releaseIngestRoutes } from './releases-ingest.ts';
import { releaseReadRoutes } from './releases-read.ts';

export const releaseRoutes: readonly Route[] = [...releaseReadRoutes, ...releaseIngestRoutes, ...releaseEditRoutes];
