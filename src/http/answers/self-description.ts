import { z } from 'zod';

export const serviceIndex = z.strictObject({
  service: z.string(),
  version: z.string(),
  links: z.record(z.string(), z.string()),
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
