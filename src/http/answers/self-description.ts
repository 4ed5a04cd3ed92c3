import { z } from 'zod';

export const serviceIndex = z.strictObject({
  service: z.string(),
  version: z.string(),
  links: z.record(z.string(), z.string()),
});

const described = z.strictObject({ href: z.string(), type: z.string() });

/** A set of links (RFC 9264), as an API catalogue has it (RFC 9727). */
export const apiCatalog = z.strictObject({
  linkset: z.array(
    z.strictObject({
      anchor: z.string(),
      'service-desc': z.array(described),
      'service-doc': z.array(described),
      status: z.array(z.strictObject({ href: z.string() })),
    }),
  ),
});

export const health = z
  .strictObject({
    ok: z.boolean(),
    service: z.string(),
    checks: z.record(z.string(), z.enum(['ok', 'fail'])),
  })
  .meta({ id: 'Health' });

/** The document describes itself no further than a reader needs to recognise it. */
export const openApiDocument = z.looseObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
});

/** Every 4xx and 5xx (contract 1.1). */
export const problem = z
  .strictObject({
    error: z.strictObject({
      code: z.string(),
      type: z.string(),
      message: z.string(),
      details: z.looseObject({}).optional(),
    }),
  })
  .meta({ id: 'Problem' });
