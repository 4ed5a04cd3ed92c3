import type { Route } from '../route.ts';

export const sourceRoutes: readonly Route[] = [];
