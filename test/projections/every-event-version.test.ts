import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allProjections, entityTextProjections, textProjections } from '../../projections/all-projections.ts';
import { storedEventTypes } from '../spec/events/stored-event-types.ts';
import { upcasters } from '../../src/domain/upcasters.ts';
import { createEventCodec } from '../../src/kernel/event-codec.ts';
import type { RecordedEvent } from '../../src/kernel/event.ts';
import { foldProjection } from '../spec/fold-projection.ts';
import { testMetadata } from '../spec/given-when-then.ts';

const folder = new URL('../fixtures/events/', import.meta.url);
const codec = createEventCodec(upcasters);

interface Fixture {
  readonly type: string;
  readonly stream: string;
  readonly data: object;
}

/** As a store hands it out: decoded from its stored form, upcast where its version is no longer written. */
const load = (type: string, position: number): RecordedEvent => {
  const fixture = JSON.parse(readFileSync(new URL(`${type}.json`, folder), 'utf8')) as Fixture;
  expect(fixture.type).toBe(type);
  return codec.decode({
    id: `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`,
    type,
    stream: fixture.stream,
    data: JSON.stringify(fixture.data),
    metadata: JSON.stringify(testMetadata),
    version: 1,
    position,
  });
};

// In the order of their list the fixtures are a small history of one entity of each kind.
const history = (): RecordedEvent[] => storedEventTypes.map((type, index) => load(type, index + 1));

describe('every stored event version', () => {
  it('has a fixture, and no fixture is left of a version that is not stored', () => {
    expect(readdirSync(folder).sort()).toEqual(storedEventTypes.map((type) => `${type}.json`).sort());
  });

  it('survives the codec as it is', () => {
    for (const { id, type, data, metadata } of history()) {
      expect(JSON.parse(codec.encode({ id, type, data, metadata }).data)).toEqual(data);
    }
  });
});

describe.each(allProjections.map((projection) => [projection.name, projection] as const))('%s', (_, projection) => {
  it.each(storedEventTypes)('folds %s as the first event of its stream', (type) => {
    foldProjection(projection, [load(type, 1)]);
  });

  it('knows every type that it folds', () => {
    expect(storedEventTypes).toEqual(expect.arrayContaining(Object.keys(projection.on)));
  });

  it('leaves a document alone that it does not have', () => {
    const creating = /(Created|Indexed|Issued|Stored|Claimed|Founded|Written)\.v\d+$/;
    const later = history().filter(({ type }) => !creating.test(type));
    // These follow from the event alone, the others need what came before.
    const standsAlone = ['pending', 'lookups', 'notices', 'deletions', 'feed-changes'].includes(projection.name);
    if (!standsAlone) expect(foldProjection(projection, later).size).toBe(0);
  });

  it('gives the same documents when a history is folded again', () => {
    const upTo = (type: string) => history().slice(0, storedEventTypes.indexOf(type as never) + 1);
    for (const events of [upTo('ReleaseAnnounced.v1'), history()]) {
      const once = foldProjection(projection, events);
      expect([...foldProjection(projection, events)]).toEqual([...once]);
    }
  });
});

it('keeps nothing of an erased release', () => {
  const events = history();
  const erasedAt = storedEventTypes.indexOf('ReleaseErased.v1');
  const bodyPart = events.filter(({ type }) => type === 'BodyPartStored.v1');
  const ordered = [...bodyPart, ...events.slice(0, erasedAt + 1)];
  for (const projection of allProjections) {
    const text = JSON.stringify([...foldProjection(projection, ordered).values()]);
    expect(text, projection.name).not.toMatch(/rel_R|fall over|Rockets stand/);
  }
});

const marked = (value: unknown, isText: (key: string) => boolean, key = ''): unknown => {
  // Also where the example has none.
  if (isText(key) && (typeof value === 'string' || value === null)) return 'a written word';
  if (Array.isArray(value)) return value.map((item) => marked(item, isText));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, marked(inner, isText, name)]));
};

/** The read models that hold one of these words after the events. */
const holdingAfter = (types: readonly string[], isText: (key: string) => boolean): string[] => {
  const written = types.map((type, index) => {
    const event = load(type, index + 1);
    return { ...event, data: marked(event.data, isText) as object };
  });
  return allProjections
    .filter((projection) =>
      JSON.stringify([...foldProjection(projection, written).values()]).includes('a written word'),
    )
    .map(({ name }) => name);
};

const namesOf = (projections: readonly { readonly name: string }[]) => projections.map(({ name }) => name);

it('leaves what was written about a release only in the read models that an erasure waits for', () => {
  const texts = ['title', 'version', 'content', 'summary', 'migrationNotes', 'text'];
  const types = ['ReleaseIndexed.v1', 'ReleaseRevised.v1', 'BodyPartStored.v1'];
  expect(holdingAfter(types, (key) => texts.includes(key))).toEqual(namesOf(textProjections));
});

it('leaves what was written about an entity only in the read models that a purge waits for', () => {
  const texts = ['name', 'slug', 'description', 'content', 'summary', 'text', 'path'];
  const types = ['OrgCreated', 'ProductCreated', 'SourceCreated', 'OverviewWritten', 'PlaybookWritten'];
  const later = ['SummaryWritten', 'ChangelogFileStored', 'BodyPartStored'];
  const holding = holdingAfter(
    [...types, ...later].map((type) => `${type}.v1`),
    (key) => texts.includes(key),
  );
  expect(holding.sort()).toEqual(namesOf(entityTextProjections).sort());
});
