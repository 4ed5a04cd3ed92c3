import type { Route } from '../route.ts';

export const orgRoutes: readonly Route[] = [];
