import Router from '@koa/router';
import { describe, expect, it } from 'vitest';
import { createFindRead } from '../../src/http/find-read.ts';
import { allRoutes, rootRoutes } from '../../src/http/routes/all-routes.ts';
import { webRoutes } from '../../src/http/routes/web/web-pages.ts';

const patterns = [
  ...rootRoutes.map(({ method, path }) => ({ method, path })),
  ...allRoutes.map(({ method, path }) => ({ method, path: `/v1${path}` })),
  ...webRoutes.map(({ method, path }) => ({ method, path })),
];

const router = new Router({ strict: true, sensitive: true });
for (const { method, path } of patterns) router.register(path, [method], () => {});

const reads = patterns.filter(({ method }) => method === 'GET').map(({ path }) => path);
const find = createFindRead(router.stack, new Map(reads.map((path) => [path, path])));

/** As the router answers it; a path without parameters stands before all patterns. */
const byRouter = (path: string) => {
  const layer = router.match(path, 'GET').pathAndMethod[0];
  if (reads.includes(path)) return { take: path, params: {} };
  return layer === undefined ? null : { take: layer.path, params: layer.params(path, layer.captures(path)) };
};

const values = [
  'acme',
  'rel_0123456789',
  'a.b',
  'a%20b',
  '%E0%A4%A',
  'latest',
  'orgs',
  'v1',
  'acme.json',
  'x.md',
  'y.atom',
];

const pathsOf = (pattern: string): string[] => {
  const filled = values.map((value) => pattern.replace(/:\w+/g, value));
  return filled.flatMap((path) => [
    path,
    `${path}/`,
    `${path}/more`,
    path.toUpperCase(),
    `/${path}`,
    path.slice(0, -1),
  ]);
};

describe('what takes a read', () => {
  it('is what the router finds, with the same parameters, for paths of every pattern', () => {
    const paths = [...new Set(['', '/', '//', '/v1', '/v1/', ...patterns.flatMap(({ path }) => pathsOf(path))])];
    expect(paths.length).toBeGreaterThan(1_000);
    const found = paths.map((path) => [path, find(path)]);
    expect(found).toEqual(paths.map((path) => [path, byRouter(path)]));
    expect(new Set(found.flatMap(([, each]) => (each as ReturnType<typeof find>)?.take ?? []))).toEqual(new Set(reads));
  });
});
