import { z } from 'zod';
import type { StoredDomainEvent } from '../domain/stored-event-types.ts';
import type { Cause, RecordedEvent } from '../kernel/event.ts';
import type { StreamCategory } from '../kernel/stream-name.ts';
import type { BusMessage } from '../ports/message-bus.ts';
import type { Publication } from './published/publication.ts';
import { publications } from './published/publications.ts';
import { timestamp } from './published/values.ts';

type StoredType = StoredDomainEvent['type'];

/** The types of which something leaves; whoever publishes reads no others. */
export const publishedTypes = (Object.keys(publications) as StoredType[]).filter((type) => publications[type] !== null);

// The type alone does not say it: an event such as Abandoned.v1 may lie in a stream of any owner.
const isPublishedCategory: Readonly<Record<StreamCategory, boolean>> = {
  registry: true,
  org: true,
  product: true,
  source: true,
  overview: true,
  playbook: false,
  summary: true,
  changelog: true,
  release: true,
  collection: true,
  tag: true,
  notice: true,
  body: false,
  texts: false,
  token: false,
  webhook: false,
  slug: false,
  domain: false,
  package: false,
  handle: false,
};

const causes = {
  ingest: true,
  fetch: true,
  import: true,
  edit: true,
  enrich: true,
  generate: true,
  coverage: true,
  suppress: true,
  unsuppress: true,
  system: true,
} satisfies Record<Cause, true>;

// As many digits as the largest position can have.
const sequenceDigits = 16;

/** CloudEvents 1.0. `sequence`, `streamversion` and `cause` are extension attributes, so their names are one word. */
export const registryEventShape = {
  specversion: z.literal('1.0'),
  id: z.uuid(),
  /** Names the registry, so that events of several can share a topic. */
  source: z.string().regex(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  type: z.enum(publishedTypes),
  /** The stream; also the key on the topic. */
  subject: z
    .string()
    .regex(
      /^(registry|notice-site|(org|product|source|overview|summary|changelog|release|collection|tag)-[a-z]+_[A-Za-z0-9]{21})$/,
    ),
  time: timestamp,
  datacontenttype: z.literal('application/json'),
  /** The public seq, padded so that texts sort as the numbers do; CloudEvents has no integer beyond 32 bits. */
  sequence: z.string().regex(new RegExp(`^\\d{${sequenceDigits}}$`)),
  streamversion: z.int32().min(1),
  cause: z.enum(Object.keys(causes) as Cause[]),
};

export interface RegistryEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: StoredType;
  readonly subject: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly sequence: string;
  readonly streamversion: number;
  readonly cause: Cause;
  readonly data: object;
}

interface Registry {
  readonly registryId: string;
}

const publicationOf = (type: string): Publication<object> | null => {
  if (!Object.hasOwn(publications, type)) throw new Error(`nothing says what of ${type} may leave`);
  return publications[type as StoredType];
};

/** The event as operators and analysts get it: no text that anybody wrote. Null when nothing of it may leave. */
export const registryEvent = (event: RecordedEvent, seq: number, { registryId }: Registry): RegistryEvent | null => {
  const publication = publicationOf(event.type);
  if (publication === null || !isPublishedCategory[event.stream.category as StreamCategory]) return null;
  return {
    specversion: '1.0',
    id: event.id,
    source: `urn:uuid:${registryId}`,
    type: event.type as StoredType,
    subject: event.stream.name,
    time: event.metadata.recordedAt,
    datacontenttype: 'application/json',
    sequence: String(seq).padStart(sequenceDigits, '0'),
    streamversion: event.version,
    cause: event.metadata.cause,
    data: publication.pick(event.data),
  };
};

/** As it lies on the topic, in the structured mode of CloudEvents. */
export const registryEventMessage = (envelope: RegistryEvent): BusMessage => ({
  key: envelope.subject,
  value: JSON.stringify(envelope),
  headers: { 'content-type': 'application/cloudevents+json' },
});
