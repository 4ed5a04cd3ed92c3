import { allRoutes } from '../../../../src/http/routes/all-routes.ts';
import type { Route } from '../../../../src/http/route.ts';
import { collectionWrites } from './collection-writes.ts';
import { operatorWrites } from './operator-writes.ts';
import { orgPartWrites } from './org-part-writes.ts';
import { orgWrites } from './org-writes.ts';
import { productWrites } from './product-writes.ts';
import { releaseWrites } from './release-writes.ts';
import { sourceWrites } from './source-writes.ts';
import type { Maker, WriteCase, WriteCases, WriteRequest } from './write-case.ts';

/** Every route that writes has its entry here: a route without one fails the tests that go through them all. */
const writes: WriteCases = {
  ...orgWrites,
  ...orgPartWrites,
  ...productWrites,
  ...sourceWrites,
  ...releaseWrites,
  ...collectionWrites,
  ...operatorWrites,
};

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

const writingRoutes = allRoutes.filter(({ method }) => method !== 'GET');

/** What the list lacks, or has too much. */
export const unmatchedWrites = (): string[] => {
  const names = writingRoutes.map(nameOf);
  return [
    ...names.filter((name) => !Object.hasOwn(writes, name)),
    ...Object.keys(writes).filter((name) => !names.includes(name)),
  ];
};

export interface Write extends WriteCase {
  readonly name: string;
  readonly route: Route;
}

export const allWrites: readonly Write[] = writingRoutes.flatMap((route) => {
  const found = writes[nameOf(route)];
  return found === undefined ? [] : [{ ...found, name: nameOf(route), route }];
});

export const named = (writes: readonly Write[]) => writes.map((write) => [write.name, write] as const);

/** A request of each write, on things that are made for it, all at once. */
export async function prepareRequests(make: Maker, writes: readonly Write[]): Promise<(write: Write) => WriteRequest> {
  const prepared = await Promise.all(writes.map(async (write) => [write.name, await write.request(make)] as const));
  const requests = new Map(prepared);
  return ({ name }) => requests.get(name)!;
}
