import type { Route } from '../route.ts';

export const indexRoutes: readonly Route[] = [];
export const healthRoutes: readonly Route[] = [];
