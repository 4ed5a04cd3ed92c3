import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { publishedTypes, registryEvent, registryEventMessage } from '../../src/delivery/registry-event.ts';
import { registryEventSchemas } from '../../src/delivery/registry-event-schemas.ts';
import * as enumerations from '../../src/domain/enumerations.ts';
import { releaseItem } from '../../src/domain/release/fields.ts';
import { storedEventTypes } from '../spec/events/stored-event-types.ts';
import type { RecordedEvent } from '../../src/kernel/event.ts';
import { parseStream } from '../../src/kernel/stream-name.ts';
import { testMetadata } from '../spec/given-when-then.ts';

const fixtures = new URL('../fixtures/events/', import.meta.url);
const schemas = new URL('../../ops/schemas/', import.meta.url);
const registryId = '00000000-0000-4000-8000-00000000000f';

const jsonIn = <Value>(folder: URL, name: string): Value =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Value;

const eventOf = (type: string, change: { stream?: string } = {}): RecordedEvent => {
  const { stream, data } = jsonIn<{ stream: string; data: object }>(fixtures, `${type}.json`);
  return {
    id: '6f1c1e6e-6a55-5d0b-8a3e-0d6f7c1b2a39',
    type,
    stream: parseStream(change.stream ?? stream),
    data,
    metadata: { ...testMetadata, actor: 'user:usr_UUUUUUUUUUUUUUUUUUUUU' },
    version: 3,
    position: 4711,
  };
};
const published = (type: string) => registryEvent(eventOf(type), 42, { registryId });

const withheld = [
  'NameClaimed.v1',
  'NameReleased.v1',
  'PlaybookWritten.v1',
  'PlaybookRemoved.v1',
  'ChangelogTextAbandoned.v1',
  'TextBegun.v1',
  'BodyPartStored.v1',
  'BodyErased.v1',
  'TokenIssued.v1',
  'TokenChanged.v1',
  'TokenRevoked.v1',
  'WebhookCreated.v1',
  'WebhookDisabled.v1',
  'WebhookDeleted.v1',
];

describe('registry.events', () => {
  it('carries CloudEvents', () => {
    expect(published('ReleaseAnnounced.v1')).toEqual({
      specversion: '1.0',
      id: '6f1c1e6e-6a55-5d0b-8a3e-0d6f7c1b2a39',
      source: `urn:uuid:${registryId}`,
      type: 'ReleaseAnnounced.v1',
      subject: 'release-rel_RRRRRRRRRRRRRRRRRRRRR',
      time: '2026-02-01T00:00:00.000Z',
      datacontenttype: 'application/json',
      sequence: '0000000000000042',
      streamversion: 3,
      cause: 'edit',
      data: {
        eventId: 'evt_EEEEEEEEEEEEEEEEEEEEE',
        tsMs: 1775001600000,
        sourceId: 'src_SSSSSSSSSSSSSSSSSSSSS',
        sourceType: 'github',
        orgId: 'org_AAAAAAAAAAAAAAAAAAAAA',
        productId: 'prod_PPPPPPPPPPPPPPPPPPPPP',
        publishedAt: '2026-04-01T00:00:00.000Z',
        fetchedAt: '2026-02-20T08:00:00.000Z',
        type: 'feature',
        prerelease: true,
        breaking: 'none',
        importance: 2,
        contentChars: 300000,
        contentTokens: 70000,
      },
    });
  });

  it('is keyed by stream and says of what kind its values are', () => {
    const envelope = published('OrgHidden.v1')!;
    const { key, value, headers } = registryEventMessage(envelope);
    expect(key).toBe('org-org_AAAAAAAAAAAAAAAAAAAAA');
    expect(JSON.parse(value)).toEqual(envelope);
    expect(headers).toEqual({ 'content-type': 'application/cloudevents+json' });
  });

  it('names changed fields without their values', () => {
    expect(published('OrgChanged.v1')?.data).toEqual({ changedFields: ['slug', 'name', 'domain', 'aliases'] });
    expect(published('ReleaseRevised.v1')?.data).toMatchObject({
      revision: 2,
      changedFields: ['title', 'publishedAt', 'prerelease', 'media'],
    });
  });

  it('shows of a new release what readers see', () => {
    expect(published('ReleaseIndexed.v1')?.data).toMatchObject({
      identityKind: 'version',
      givenFields: ['title', 'content', 'version', 'url', 'publishedAt', 'media'],
      publishedAt: '2026-03-01T00:00:00.000Z',
      announcement: 'due',
    });
  });

  it('carries every type but these', () => {
    expect(storedEventTypes.filter((type) => !publishedTypes.includes(type))).toEqual(withheld);
  });

  it.each(withheld)('carries nothing of %s', (type) => {
    expect(published(type)).toBeNull();
  });

  it.each(['token-tok_TTTTTTTTTTTTTTTTTTTTT', 'account-usr_UUUUUUUUUUUUUUUUUUUUU', 'slug-org:acme', 'body-rel_R-00'])(
    'carries nothing of the stream %s, whatever the type',
    (stream) => {
      expect(registryEvent(eventOf('Abandoned.v1', { stream }), 42, { registryId })).toBeNull();
    },
  );

  it('refuses a type that nobody decided about', () => {
    const event = { ...eventOf('OrgHidden.v1'), type: 'OrgRenamed.v7' };
    expect(() => registryEvent(event, 42, { registryId })).toThrow('OrgRenamed.v7');
  });
});

describe('ops/schemas', () => {
  const files = registryEventSchemas();

  it('holds what npm run docs:schemas writes', () => {
    expect(readdirSync(schemas).sort()).toEqual([...files.keys()].sort());
    for (const [name, schema] of files) expect(jsonIn(schemas, name), name).toEqual(JSON.parse(JSON.stringify(schema)));
  });

  it.each(publishedTypes)('admits %s as it is published, and nothing more', (type) => {
    const envelope = published(type)!;
    for (const name of ['envelope.json', `${type}.json`]) {
      const schema = z.fromJSONSchema(jsonIn(schemas, name));
      expect(schema.safeParse(envelope).error, name).toBeUndefined();
      expect(schema.safeParse({ ...envelope, actor: 'root' }).success, name).toBe(false);
    }
    const schema = z.fromJSONSchema(jsonIn(schemas, `${type}.json`));
    expect(schema.safeParse({ ...envelope, data: { ...envelope.data, title: 'A title' } }).success).toBe(false);
  });

  it('leaves no place for free text', () => {
    const open: string[] = [];
    const walk = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { type } = node as { type?: unknown };
      const isBound = ['const', 'enum', 'pattern'].some((keyword) => keyword in node);
      if (type === 'string' && !isBound) open.push(path);
      if (type === 'object' && (node as { additionalProperties?: unknown }).additionalProperties !== false)
        open.push(path);
      for (const [name, child] of Object.entries(node)) walk(child, `${path}/${name}`);
    };
    for (const [name, schema] of files) walk(schema, name);
    expect(open).toEqual(['envelope.json/properties/data']); // there the schema of the type says more
  });
});

describe('what people wrote', () => {
  const words = new Set<unknown>(Object.values(enumerations).flat());
  const isClosed = (text: string): boolean =>
    words.has(text) ||
    /^(\w+-)?(org|prod|src|rel|col|tag|evt|loc|tok)_[A-Za-z0-9]{21}$/.test(text) ||
    /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) ||
    ['version', 'due', 'not_visible', registryId].includes(text) ||
    Object.hasOwn(releaseItem.shape, text); // the name of a field

  const textsIn = (value: unknown): string[] => {
    if (typeof value === 'string') return isClosed(value) ? [] : [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
  };

  const texts = storedEventTypes.flatMap((type) => textsIn(eventOf(type).data));

  it('is found in the fixtures', () => {
    for (const text of [
      'Rockets stand up',
      'Acme',
      'acme',
      'They no longer fall over. ',
      '1.2.0',
      'Rockets and anvils',
      'Build tools',
      'Machine learning',
      'We move house on Sunday',
    ]) {
      expect(texts).toContain(text);
    }
    expect(texts.some((text) => text.startsWith('https://'))).toBe(true);
  });

  it.each(publishedTypes)('does not leave with %s', (type) => {
    const { value } = registryEventMessage(published(type)!);
    for (const text of texts) expect(value).not.toContain(text);
  });
});
