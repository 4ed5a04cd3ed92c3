import { createOpenApiComponents } from './components.ts';
import { operationOf, sharedHeaders, sharedParameters, templateOf } from './operation.ts';
import { problem } from '../answers/self-description.ts';
import type { Route } from '../route.ts';

/** The version of the interface, not of the program that serves it. */
const interfaceVersion = '1.0.0';

const pathsOf = (
  placed: readonly { readonly prefix: string; readonly route: Route }[],
  operation: (route: Route) => object,
): Record<string, Record<string, object>> => {
  const paths: Record<string, Record<string, object>> = {};
  const templates = new Map<string, string>();
  for (const { prefix, route } of placed) {
    const path = templateOf(`${prefix}${route.path}`);
    // Two paths that differ only in what their parameters are called are one path, which OpenAPI forbids.
    const known = templates.get(path.replace(/\{\w+\}/g, '{}'));
    if (known !== undefined && known !== path) throw new Error(`${known} and ${path} are the same path`);
    templates.set(path.replace(/\{\w+\}/g, '{}'), path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return paths;
};

const limitHeaderNames = ['X-Service-Request-Id', 'RateLimit-Policy', 'RateLimit'] as const;

const headersOf = (...names: readonly (keyof typeof sharedHeaders)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The OpenAPI document, made from the schemas that check what comes in and, in tests, what goes out. */
function createOpenApi(routes: readonly Route[], rootRoutes: readonly Route[]) {
  const components = createOpenApiComponents();
  const placed = [
    ...routes.map((route) => ({ prefix: '/v1', route })),
    ...rootRoutes.map((route) => ({ prefix: '', route })),
  ];
  const paths = pathsOf(placed, (route) => operationOf(route, components));
  const problemSchema = components.place(problem, 'output');
  return {
    openapi: '3.1.0',
    info: {
      title: 'Release Registry Service',
      version: interfaceVersion,
      description: 'A public registry and index of software changelogs.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(placed.map(({ route }) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components.schemas(),
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses: {
        Problem: {
          description: 'Every failure, from every layer',
          headers: headersOf(...limitHeaderNames, 'Retry-After', 'WWW-Authenticate', 'Allow'),
          content: { 'application/json': { schema: problemSchema } },
        },
        RateLimited: {
          description: 'Too many requests in 60 s, or a cap on stored things is reached',
          headers: headersOf(...limitHeaderNames, 'Retry-After'),
          content: { 'application/json': { schema: problemSchema } },
        },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The root key or a machine token.' },
      },
    },
  };
}

/** Built when it is first asked for: it is the same for every caller. */
export const createOpenApiOnce = (routes: readonly Route[], rootRoutes: readonly Route[]): (() => unknown) => {
  let built: unknown;
  return () => {
    built ??= createOpenApi(routes, rootRoutes);
    return built;
  };
};
