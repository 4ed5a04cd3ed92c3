import { z } from 'zod';
import { orgManifest, orgManifestReads } from '../../../queries/orgs/org-manifest.ts';
import { manifest, manifestFormat, manifestJsonSchema } from '../answers/manifest.ts';
import { defineRoute, type Route } from '../route.ts';
import { noQuery, orgParams } from './org-path.ts';

const showManifest = defineRoute({
  method: 'GET',
  path: '/orgs/:slug/manifest',
  tag: 'Orgs',
  summary: 'The manifest of an org, as it could stand on its own domain',
  access: 'public',
  params: orgParams,
  query: noQuery,
  cache: 'slow',
  reads: orgManifestReads,
  responses: { 200: manifest },
  handle: async ({ params, admin }, { view, registryName }) => ({
    status: 200,
    body: orgManifest(await view(), { org: params.slug, registryName }, { admin }),
  }),
});

export const manifestRoutes: readonly Route[] = [showManifest];

const schemaPath = '/schemas/manifest-2.json';

/** Many answer alike, and writing it takes milliseconds. */
const writtenSchema = (() => {
  let written: object | undefined;
  return () => {
    written ??= z.toJSONSchema(manifestFormat, { target: 'draft-2020-12' });
    return written;
  };
})();

const showSchema = defineRoute({
  method: 'GET',
  path: schemaPath,
  tag: 'Orgs',
  summary: 'The JSON Schema of a manifest',
  extension: true,
  access: 'public',
  params: z.object({}),
  query: noQuery,
  cache: 'document',
  isCounted: false,
  responses: { 200: manifestJsonSchema },
  handle: async (_, { webBaseUrl }) => ({
    status: 200,
    body: { $id: `${webBaseUrl}${schemaPath}`, ...writtenSchema() },
  }),
});

/** Below the host root. */
export const schemaRoutes: readonly Route[] = [showSchema];
