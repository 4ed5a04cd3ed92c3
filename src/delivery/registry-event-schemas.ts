import { z } from 'zod';
import { publications } from './published/publications.ts';
import { publishedTypes, registryEventShape } from './registry-event.ts';

const jsonSchemaOf = (title: string, schema: z.ZodType): object => z.toJSONSchema(schema.meta({ title }));

const schemaOfType = (type: (typeof publishedTypes)[number]): object => {
  const data = publications[type]?.schema ?? z.never();
  return jsonSchemaOf(type, z.strictObject({ ...registryEventShape, type: z.literal(type), data }));
};

/** JSON Schemas (draft 2020-12) of what `registry.events` carries, by file name in `ops/schemas/`. */
export const registryEventSchemas = (): ReadonlyMap<string, object> =>
  new Map([
    ['envelope.json', jsonSchemaOf('envelope', z.strictObject({ ...registryEventShape, data: z.looseObject({}) }))],
    ...publishedTypes.map((type): [string, object] => [`${type}.json`, schemaOfType(type)]),
  ]);
