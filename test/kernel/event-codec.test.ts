import { describe, expect, it } from 'vitest';
import { createEventCodec, type StoredEvent } from '../../src/kernel/event-codec.ts';

const codec = createEventCodec();
const parts = ['data', 'metadata', 'stream'] as const;

const stored = (given: Partial<StoredEvent> = {}): StoredEvent => ({
  id: 'e1',
  type: 'OrgCreated.v1',
  data: '{"name":"Acme"}',
  metadata: '{"commandId":"c1","actor":"root","cause":"edit"}',
  stream: 'org-o1',
  version: 3,
  position: 7,
  ...given,
});

describe('a stored event', () => {
  it('is parsed when it is looked at, and not before', () => {
    const event = codec.decode(stored({ data: 'no JSON', metadata: 'no JSON' }));
    expect([event.id, event.type, event.version, event.position]).toEqual(['e1', 'OrgCreated.v1', 3, 7]);
    expect(() => event.data).toThrow(SyntaxError);
    expect(() => event.metadata).toThrow(SyntaxError);
  });

  it('is parsed once for all who look at it', () => {
    const event = codec.decode(stored());
    for (const part of parts) expect(event[part]).toBe(event[part]);
  });

  it('can be copied with all its parts', () => {
    const copy = { ...codec.decode(stored()) };
    expect(copy).toEqual({
      id: 'e1',
      type: 'OrgCreated.v1',
      version: 3,
      position: 7,
      data: { name: 'Acme' },
      metadata: { commandId: 'c1', actor: 'root', cause: 'edit' },
      stream: { name: 'org-o1', category: 'org', id: 'o1' },
    });
    expect(JSON.parse(JSON.stringify(codec.decode(stored())))).toEqual(copy);
  });

  // What is read by code made for it alone has a shape of its own: then each look at one of many events is a search.
  it('is read by the same code as every other', () => {
    const [one, other] = [codec.decode(stored()), codec.decode(stored({ data: '{"name":"Other"}' }))];
    const readerOf = (event: object, part: string) => Object.getOwnPropertyDescriptor(event, part)?.get;
    for (const part of parts) {
      expect(readerOf(one, part)).toBeTypeOf('function');
      expect(readerOf(one, part)).toBe(readerOf(other, part));
    }
    expect([one.data, other.data]).toEqual([{ name: 'Acme' }, { name: 'Other' }]);
  });
});
