import type { Route } from '../route.ts';
import { orgReadRoutes } from './orgs-read.ts';
import { orgWriteRoutes } from './orgs-write.ts';

export const orgRoutes: readonly Route[] = [...orgReadRoutes, ...orgWriteRoutes];
