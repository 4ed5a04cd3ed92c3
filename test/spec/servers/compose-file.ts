import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const texts = z.record(z.string(), z.string());

const container = z.object({
  image: z.string(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  pull_policy: z.string().optional(),
  hostname: z.string().optional(),
  command: z.array(z.string()).optional(),
  environment: texts.default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z
    .object({
      test: z.union([z.tuple([z.literal('CMD-SHELL'), z.string()]), z.tuple([z.literal('CMD')], z.string())]),
      interval: z.string().regex(/^\d+s$/),
      timeout: z.string().regex(/^\d+s$/),
      retries: z.number(),
    })
    .optional(),
});

const composeFile = z.object({
  services: z.record(z.string(), container),
  volumes: z.record(z.string(), z.null()),
});

export type ComposeContainer = z.output<typeof container>;

/** docker-compose.yml as it is written, with its variables. */
export const readComposeFile = (): z.output<typeof composeFile> =>
  composeFile.parse(
    parse(readFileSync(new URL('../../../docker-compose.yml', import.meta.url), 'utf8'), { merge: true }),
  );
