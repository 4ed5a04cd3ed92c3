import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { body } from '../../src/domain/body/state.ts';
import { changelog } from '../../src/domain/changelog/state.ts';
import { collection } from '../../src/domain/collection/state.ts';
import { name } from '../../src/domain/name/state.ts';
import { org } from '../../src/domain/org/state.ts';
import { product } from '../../src/domain/product/state.ts';
import { release } from '../../src/domain/release/state.ts';
import { siteNotice } from '../../src/domain/site-notice/state.ts';
import { source } from '../../src/domain/source/state.ts';
import { summary } from '../../src/domain/summary/state.ts';
import { tag } from '../../src/domain/tag/state.ts';
import { token } from '../../src/domain/token/state.ts';
import { upcasters } from '../../src/domain/upcasters.ts';
import { webhook } from '../../src/domain/webhook/state.ts';
import { createEventCodec } from '../../src/kernel/event-codec.ts';
import { foldEvents, type Model } from '../../src/kernel/model.ts';
import type { DomainEvent, RecordedEvent } from '../../src/kernel/event.ts';
import { storedEventTypes } from '../spec/events/stored-event-types.ts';
import { testMetadata } from '../spec/given-when-then.ts';

const codec = createEventCodec(upcasters);

const fixture = (type: string): RecordedEvent => {
  const file = new URL(`../fixtures/events/${type}.json`, import.meta.url);
  const { stream, data } = JSON.parse(readFileSync(file, 'utf8')) as { stream: string; data: object };
  const id = '00000000-0000-4000-8000-000000000001';
  const metadata = JSON.stringify(testMetadata);
  return codec.decode({ id, type, stream, data: JSON.stringify(data), metadata, version: 1, position: 1 });
};

/** The state after each of the fixtures that begin with this word, in their order. */
const statesOf = <State, E extends DomainEvent>(model: Model<State, E>, word: string): State[] => {
  const events = storedEventTypes.filter((type) => type.startsWith(word)).map(fixture);
  return events.map((_, index) => foldEvents(model, events.slice(0, index + 1)));
};

const digestOf = (states: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(states)).digest('hex').slice(0, 12);

// A digest that has changed belongs to another fold: raise the model's foldVersion, then write down the new one.
describe.each([
  { word: 'Org', states: statesOf(org, 'Org'), version: org.foldVersion, known: '3 5a2171f1bf8b' },
  { word: 'Product', states: statesOf(product, 'Product'), version: product.foldVersion, known: '2 01b3e9cb2134' },
  { word: 'Source', states: statesOf(source, 'Source'), version: source.foldVersion, known: '2 d3b4a9a67a69' },
  { word: 'Release', states: statesOf(release, 'Release'), version: release.foldVersion, known: '3 f105fc9205e6' },
  { word: 'Token', states: statesOf(token, 'Token'), version: token.foldVersion, known: '1 3e14b41a418f' },
  { word: 'Webhook', states: statesOf(webhook, 'Webhook'), version: webhook.foldVersion, known: '1 aeed270464ea' },
  {
    word: 'Collection',
    states: statesOf(collection, 'Collection'),
    version: collection.foldVersion,
    known: '1 e25cade2fabb',
  },
  { word: 'Summary', states: statesOf(summary, 'Summary'), version: summary.foldVersion, known: '1 b50d8469220d' },
  {
    word: 'Changelog',
    states: statesOf(changelog, 'Changelog'),
    version: changelog.foldVersion,
    known: '1 bc534b086878',
  },
  { word: 'Tag', states: statesOf(tag, 'Tag'), version: tag.foldVersion, known: '1 c9e8d214920c' },
  {
    word: 'SiteNotice',
    states: statesOf(siteNotice, 'SiteNotice'),
    version: siteNotice.foldVersion,
    known: '1 80d6631905c0',
  },
  { word: 'Name', states: statesOf(name, 'Name'), version: name.foldVersion, known: '1 c35b8dba2628' },
  { word: 'Body', states: statesOf(body, 'Body'), version: body.foldVersion, known: '1 2757c426da6d' },
])('the fold of $word events', ({ states, version, known }) => {
  it('has a version of its own for what the events come to', () => {
    expect(states.length).toBeGreaterThan(0);
    expect(`${version} ${digestOf(states)}`).toBe(known);
  });

  it('comes to what JSON can hold', () => {
    expect(JSON.parse(JSON.stringify(states))).toStrictEqual(states);
  });
});
