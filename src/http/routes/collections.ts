import type { Route } from '../route.ts';
import { collectionMemberRoutes } from './collection-members.ts';
import { collectionReadRoutes } from './collections-read.ts';
import { collectionWriteRoutes } from './collections-write.ts';

export const collectionRoutes: readonly Route[] = [
  ...collectionReadRoutes,
  ...collectionWriteRoutes,
  ...collectionMemberRoutes,
];
