import { isDeepStrictEqual } from 'node:util';
import { type ZodType, z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schemas that several places of the document share, by the id in their `meta`. */
export interface OpenApiComponents {
  readonly schemas: () => Readonly<Record<string, JsonSchema>>;
  /** A schema as it stands at its place: shared parts are references. `input` = what is accepted, not what comes of it. */
  readonly place: (schema: ZodType, io: 'input' | 'output') => JsonSchema;
}

/** Leaves out what is true of every exact JSON integer, and the pattern that says once more what a format says. */
const withoutNoise = (schema: Record<string, unknown>): void => {
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['format'] === 'date-time') delete schema['pattern'];
};

const refAsZodWritesIt = '#/$defs/';

function withComponentRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponentRefs);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) =>
      key === '$ref' && typeof part === 'string' && part.startsWith(refAsZodWritesIt)
        ? [key, `#/components/schemas/${part.slice(refAsZodWritesIt.length)}`]
        : [key, withComponentRefs(part)],
    ),
  );
}

export function createOpenApiComponents(): OpenApiComponents {
  const schemas = new Map<string, JsonSchema>();

  const share = (id: string, schema: JsonSchema): void => {
    const known = schemas.get(id);
    if (known !== undefined && !isDeepStrictEqual(known, schema)) throw new Error(`two schemas have the id ${id}`);
    schemas.set(id, schema);
  };

  const write = (schema: ZodType, io: 'input' | 'output'): JsonSchema => {
    const {
      $schema: _,
      $defs = {},
      ...written
    } = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io,
      override: ({ jsonSchema }) => withoutNoise(jsonSchema as Record<string, unknown>),
    });
    for (const [id, shared] of Object.entries($defs)) share(id, withComponentRefs(shared) as JsonSchema);
    return withComponentRefs(written) as JsonSchema;
  };

  // Many routes answer with the same schema, and writing one takes milliseconds.
  const written = { input: new Map<ZodType, JsonSchema>(), output: new Map<ZodType, JsonSchema>() };

  return {
    schemas: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
    place: (schema, io) => {
      const known = written[io].get(schema) ?? write(schema, io);
      written[io].set(schema, known);
      return known;
    },
  };
}
