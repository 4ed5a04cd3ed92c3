import { z } from 'zod';

/** Checked as a URI by whoever validates formats, and by its beginning by all. */
const httpsUri = z
  .string()
  .regex(/^https:\/\//)
  .meta({ format: 'uri' });
const uri = z.string().meta({ format: 'uri' });

const locator = z.strictObject({
  url: httpsUri.optional(),
  feed: httpsUri.optional(),
  appstore: httpsUri.optional(),
  file: httpsUri.optional(),
  github: z
    .string()
    .regex(/^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/)
    .optional(),
  title: z.string().min(1).max(200).optional(),
  canonical: z.boolean().optional(),
});

const word = z.string().min(1).max(120);
const description = z.string().max(2_000);
const tags = z.array(z.string().min(1).max(60)).max(50);
const social = z.record(z.string().min(1).max(40), z.string().min(1).max(200));

const product = z.strictObject({
  name: word,
  slug: word.optional(),
  kind: word.optional(),
  category: word.optional(),
  description: description.optional(),
  website: uri.optional(),
  docs: uri.optional(),
  support: uri.optional(),
  social: social.optional(),
  tags: tags.optional(),
  archived: z.boolean().optional(),
  releases: z.array(locator).max(8).optional(),
});

const registryEntry = z.looseObject({
  org: z
    .string()
    .regex(/^org_[A-Za-z0-9]+$/)
    .optional(),
  product: z
    .string()
    .regex(/^prd_[A-Za-z0-9]+$/)
    .optional(),
  verification: z.string().min(1).max(500).optional(),
});

/** Where an org says on its own domain what it publishes; version 2 of the format. */
export const manifestFormat = z.strictObject({
  $schema: uri.optional(),
  version: z.literal(2),
  registries: z.record(z.string(), registryEntry).optional(),
  name: word.optional(),
  description: description.optional(),
  category: word.optional(),
  avatar: httpsUri.optional(),
  tags: tags.optional(),
  social: social.optional(),
  releases: z.array(locator).max(32).optional(),
  products: z.array(product).max(24).optional(),
});

export const manifest = manifestFormat.meta({ id: 'Manifest' });

/** The format itself, for whoever writes or reads a manifest. */
export const manifestJsonSchema = z.looseObject({ $schema: z.string(), $id: z.string(), type: z.literal('object') });
