import { describe, expect, it } from 'vitest';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { body } from '../../../src/domain/body/state.ts';
import type { ReleaseEvent, ReleaseIndexed, ReleaseRevised } from '../../../src/domain/release/events.ts';
import { appendBytesMax } from '../../../src/ports/event-store.ts';
import { givenBatch } from '../../spec/given-batch.ts';
import { stateAfter } from '../../spec/given-when-then.ts';
import { parentsAfter, sourceId, webBaseUrl } from '../../spec/worlds/release-world.ts';

const facts = parentsAfter();
const text = `## Breaking changes\n\n${'x'.repeat(1_000_000 - 21)}`;
const large = { title: 'Large', version: '1.0.0', content: text, contentTokens: 125_000 };
const titleOnly = { title: 'Larger', version: '1.0.0' };

const batch = (...items: object[]) => ({ sourceId, webBaseUrl, items });
const first = givenBatch(ingestReleases).when(batch(large), { facts }).decided();
const past: Record<string, readonly ReleaseEvent[]> = Object.fromEntries(first.eventsByStream);

const [write] = first.bodies;
const stored = stateAfter(
  body,
  (write?.parts ?? []).map((part, index, all) => ({
    type: 'BodyPartStored.v1' as const,
    data: { part: index, parts: all.length, text: part },
  })),
);
const itemFacts = { [write?.stream ?? '']: stored };

describe('content of 1,000,000 characters', () => {
  it('lies in a body that the event names', () => {
    const { given, derived } = (first.events[0] as ReleaseIndexed).data;
    expect(given.content).toEqual({ sha256: derived.contentHash, chars: 1_000_000, parts: 4 });
    expect(first.bodies).toHaveLength(1);
    expect(write?.stream).toBe(`body-${first.results[0]?.id}-${derived.contentHash}`);
    expect(stored.text === text).toBe(true);
    expect(derived).toMatchObject({
      breaking: 'major',
      importance: 5,
      contentChars: 1_000_000,
      contentTokens: 125_000,
    });
    expect(JSON.stringify(first.events).length).toBeLessThan(20_000);
  });

  it('is recognised when it is sent again', () => {
    const again = givenBatch(ingestReleases, past).when(batch(large), { facts }).decided();
    expect(again.results[0]?.result).toBe('unchanged');
    expect(again.bodies).toEqual([]);
  });

  it('is told from another text of the same length', () => {
    const other = { ...large, content: `${text.slice(0, -1)}y` };
    const { results, bodies } = givenBatch(ingestReleases, past).when(batch(other), { facts }).decided();
    expect(results[0]?.result).toBe('revised');
    expect(bodies).toHaveLength(1);
    expect(bodies[0]?.stream).not.toBe(write?.stream);
  });

  it('is read from its body when another field changes', () => {
    const decided = givenBatch(ingestReleases, past).when(batch(titleOnly), { facts, itemFacts }).decided();
    const { given, derived } = (decided.events[0] as ReleaseRevised).data;
    expect(given).toEqual({ title: 'Larger' });
    expect(derived).toEqual((first.events[0] as ReleaseIndexed).data.derived);
    expect(decided.bodies).toEqual([]);
  });

  it('is never taken for empty when its body is missing', () => {
    const decide = givenBatch(ingestReleases, past).when(batch(titleOnly), { facts }).decided;
    expect(decide).toThrow(/missing or incomplete/);
  });

  it('is known to a later item of the batch that brought it, before any store has it', () => {
    const { results, events } = givenBatch(ingestReleases).when(batch(large, titleOnly), { facts }).decided();
    expect(results.map(({ result }) => result)).toEqual(['inserted', 'revised']);
    expect((events.at(-1) as ReleaseRevised).data.derived).toMatchObject({
      breaking: 'major',
      contentChars: 1_000_000,
    });
  });

  it('gives way to a small text', () => {
    const small = { ...large, content: 'Small again, for good.', contentTokens: 6 };
    const { events, bodies } = givenBatch(ingestReleases, past).when(batch(small, titleOnly), { facts }).decided();
    expect(bodies).toEqual([]);
    expect((events[0] as ReleaseRevised).data.given).toEqual({ content: small.content });
    expect((events[1] as ReleaseRevised).data.derived).toMatchObject({ contentTokens: 6, summary: small.content });
  });
});

it('an item at every bound fits into one append, with its announcement', () => {
  const worst = (chars: number): string => '\u0001'.repeat(chars); // six bytes each after escaping
  const worstLine = (chars: number): string => '😀'.repeat(chars); // four bytes each; control characters are refused
  const item = {
    title: worstLine(500),
    content: worst(43_690),
    contentTokens: 1,
    version: `1${worst(199)}`,
    url: `https://acme.example/${'😀'.repeat(2027)}`,
    publishedAt: '2026-02-01',
    summary: worst(2000),
    titleGenerated: worstLine(300),
    titleShort: worstLine(300),
    migrationNotes: worst(20_000),
    media: Array.from({ length: 50 }, () => ({ type: 'image', url: 'https://acme.example/a', alt: worst(670) })),
  };
  const { events, bodies } = givenBatch(ingestReleases).when(batch(item), { facts }).decided();
  expect(events.map(({ type }) => type)).toEqual(['ReleaseIndexed.v1', 'ReleaseAnnounced.v1']);
  expect(bodies).toEqual([]);
  const bytes = events.reduce((sum, { data }) => sum + Buffer.byteLength(JSON.stringify(data)) + 1_000, 0);
  expect(bytes).toBeLessThan(appendBytesMax);
  expect(bytes).toBeGreaterThan(0.9 * appendBytesMax); // else the item is not the largest any more
});
