import type { Route } from '../route.ts';

export const releaseRoutes: readonly Route[] = [];
