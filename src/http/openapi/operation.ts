import type { ZodObject, ZodType } from 'zod';
import type { JsonSchema, OpenApiComponents } from './components.ts';
import type { DocumentType } from '../negotiate.ts';
import { isKeepable, type Route } from '../route.ts';
import { exampleOf, type RouteExample } from './examples.ts';
import { operationIdOf } from './operation-id.ts';

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` });

/** Parts that operations refer to by name. */
export const sharedParameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A repeat with the same key within 24 hours gets the first answer again and changes nothing.',
    schema: { type: 'string', minLength: 8, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
  'X-Service-Min-Position': {
    name: 'X-Service-Min-Position',
    in: 'header',
    description: 'Wait up to 2 s until the answer reflects this position, as a write gave it in X-Service-Position.',
    schema: { type: 'integer', minimum: 0 },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags; if one of them is current the answer is 304.',
    schema: { type: 'string' },
  },
  'If-Modified-Since': {
    name: 'If-Modified-Since',
    in: 'header',
    description:
      'While it is the Last-Modified of the answer, and nothing has left the feed since, that is 304; without meaning beside If-None-Match.',
    schema: { type: 'string' },
  },
} as const;

export const sharedHeaders = {
  'X-Service-Request-Id': { description: 'Names this request in the log.', schema: { type: 'string' } },
  'X-Service-Position': {
    description: 'Position of what was written; readers may wait for it.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Idempotency-Replayed': {
    description: 'true when this is the kept answer to an earlier request.',
    schema: { type: 'string', enum: ['true'] },
  },
  ETag: { description: 'Strong entity tag of the body.', schema: { type: 'string' } },
  'Last-Modified': { description: 'When the newest entry was changed.', schema: { type: 'string' } },
  'X-Service-As-Of': { description: 'The moment that was asked about with asOf.', schema: { type: 'string' } },
  'X-Cache': {
    description: 'HIT when the answer was kept and MISS when not; BYPASS for a request whose answer is never kept.',
    schema: { type: 'string', enum: ['HIT', 'MISS', 'BYPASS'] },
  },
  'X-Robots-Tag': { description: 'Keeps the answer out of search engines.', schema: { type: 'string' } },
  Link: {
    description: 'The page that this is a form of, as rel="canonical"; of the API catalogue, what it names.',
    schema: { type: 'string' },
  },
  Location: { description: 'Where the thing is now.', schema: { type: 'string' } },
  'RateLimit-Policy': {
    description: 'The limit of this caller: "<policy>";q=<requests>;w=<seconds>. None for the root key.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'How many more requests are let in, and when there will be more: "<policy>";r=<left>;t=<seconds>.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Whole seconds to wait, on 429 and 503.', schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': { description: 'On 401, and on 403 when a scope is missing.', schema: { type: 'string' } },
  Allow: { description: 'On 404, when the path knows other methods.', schema: { type: 'string' } },
} as const;

const statusTexts: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: 'Done, without a body',
  308: 'Moved for good',
};

const shapeOf = (schema: ZodType): Readonly<Record<string, ZodType>> => (schema as ZodObject).shape;

/** `/orgs/:org` as the document writes it: `/orgs/{org}`. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

const queryParameter = (name: string, schema: ZodType, example: string | undefined) => {
  const { schema: shown } = (schema.meta() ?? {}) as { schema?: JsonSchema };
  if (shown === undefined) throw new Error(`the query parameter ${name} does not say how it is documented`);
  const isRequired = !schema.safeParse(undefined).success;
  return {
    name,
    in: 'query',
    ...(isRequired && { required: true }),
    schema: shown,
    ...(example !== undefined && { example }),
  };
};

const parametersOf = (route: Route, example: RouteExample) => {
  const isRead = route.method === 'GET';
  return [
    ...Object.keys(shapeOf(route.params)).map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
      example: example.params[name],
    })),
    ...Object.entries(shapeOf(route.query)).map(([name, schema]) => queryParameter(name, schema, example.query[name])),
    ...(route.idempotent ? [parameter('Idempotency-Key')] : []),
    ...(isRead && route.reads.length > 0 ? [parameter('X-Service-Min-Position')] : []),
    ...(isRead ? [parameter('If-None-Match')] : []),
    ...(route.documentType === atom ? [parameter('If-Modified-Since')] : []),
  ];
};

const limitHeaders = { 'RateLimit-Policy': header('RateLimit-Policy'), RateLimit: header('RateLimit') };

const responseHeadersOf = ({ method, idempotent, access, documentType, query, ...route }: Route) => ({
  'X-Service-Request-Id': header('X-Service-Request-Id'),
  ...(route.isCounted && limitHeaders),
  ...(method === 'GET' && { ETag: header('ETag') }),
  ...(documentType === atom && { 'Last-Modified': header('Last-Modified') }),
  ...(method !== 'GET' && access !== 'public' && { 'X-Service-Position': header('X-Service-Position') }),
  ...(idempotent && { 'Idempotency-Replayed': header('Idempotency-Replayed') }),
  ...('asOf' in query.shape && { 'X-Service-As-Of': header('X-Service-As-Of') }),
  ...(isKeepable({ ...route, method, access }) && { 'X-Cache': header('X-Cache') }),
  ...Object.fromEntries((route.ownHeaders ?? []).map((name) => [name, header(name)])),
});

/** The one form with a date to compare. */
const atom: DocumentType = 'application/atom+xml';

const jsonContent = (schema: JsonSchema, example?: object) => ({
  'application/json': { schema, ...(example && { example }) },
});

/** Every form of an answer: the schema is that of its JSON, or of a document that is the only one. */
const contentOf = ({ documentType, markdown }: Route, schema: JsonSchema) => ({
  [documentType ?? 'application/json']: { schema },
  ...(markdown && { 'text/markdown': { schema: { type: 'string' } } }),
});

const responsesOf = (route: Route, { place }: OpenApiComponents) => ({
  ...Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => [
      status,
      {
        description: statusTexts[Number(status)] ?? 'Done',
        headers:
          Number(status) === 308
            ? { Location: header('Location'), ...(route.isCounted && limitHeaders) }
            : responseHeadersOf(route),
        ...(schema !== null && { content: contentOf(route, place(schema, 'output')) }),
      },
    ]),
  ),
  ...(route.method === 'GET' && {
    304: { description: 'Not changed', headers: { ETag: header('ETag'), ...(route.isCounted && limitHeaders) } },
  }),
  ...(route.isCounted && { 429: { $ref: '#/components/responses/RateLimited' } }),
  default: { $ref: '#/components/responses/Problem' },
});

/** Anybody may send a credential along; beyond a public route the rung of the ladder is named as the role. */
const securityOf = ({ access }: Route) => {
  if (access === 'public') return [{}, { bearer: [] }];
  return [{ bearer: access === 'credential' ? [] : [access] }];
};

/** One route as the document describes it. */
export const operationOf = (route: Route, components: OpenApiComponents) => {
  const example = exampleOf(route);
  const parameters = parametersOf(route, example);
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    ...(route.description && { description: route.description }),
    tags: [route.tag],
    ...(route.extension && { 'x-extension': true }),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: route.bodyOptional !== true,
        content: jsonContent(components.place(route.body, 'input'), example.body),
      },
    }),
    responses: responsesOf(route, components),
  };
};
