import type { Route } from '../route.ts';

export const tokenRoutes: readonly Route[] = [];
