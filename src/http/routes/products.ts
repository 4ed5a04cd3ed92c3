import type { Route } from '../route.ts';

export const productRoutes: readonly Route[] = [];
