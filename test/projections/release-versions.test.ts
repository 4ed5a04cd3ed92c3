import { describe, expect, it } from 'vitest';
import { releaseVersionsProjection } from '../../projections/release-versions/release-versions.ts';
import { placeOfText } from '../../src/domain/release/version-place.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import { blog, idOf } from '../spec/events/entity-events.ts';
import { createRecorder } from '../spec/events/record-events.ts';
import { erased, indexed, linked, revised, suppressed, unlinked, unsuppressed } from '../spec/events/release-events.ts';
import { foldProjection } from '../spec/fold-projection.ts';

const id = idOf('rel', 'R');
const march = '2026-03-01T00:00:00.000Z';

const after = (...events: DomainEvent[]) => {
  const recorder = createRecorder();
  recorder.record(`release-${id}`, events);
  return foldProjection(releaseVersionsProjection, recorder.all()).get(id);
};

describe('release-versions', () => {
  it('holds the version, the date and the notes, and no other text', () => {
    const given = {
      version: 'pkg@1.2.0',
      publishedAt: march,
      content: 'long',
      summary: 'short',
      migrationNotes: 'Mind',
    };
    expect(after(indexed(blog, given, { derived: { migrationNotes: 'derived' } }))).toEqual({
      id,
      sourceId: blog,
      counted: 1,
      suppressed: false,
      covering: false,
      name: 'pkg',
      place: placeOfText('1.2.0'),
      publishedMs: Date.parse(march),
      fetchedMs: Date.parse('2026-02-20T08:00:00.000Z'),
      breaking: 'unknown',
      given: { version: 'pkg@1.2.0', publishedAt: march, migrationNotes: 'Mind' },
      derived: { publishedAt: null, breaking: 'unknown', migrationNotes: 'derived' },
    });
  });

  // What stands in the stores, and is compared with what is asked for: who changes the encoding raises the generation.
  it.each([
    ['1.2.0', '', '11120003'],
    ['core@v10.0.1', 'core', '210011003'],
    ['@Acme/Rocket@2.0.0-rc.1', '@acme/rocket', '1200002rc 1110'],
    ['1.0.post3', '', '110001133'],
    ['123456789.0', '', '91912345678900003'],
    [' June ', '', '!June'],
  ])('keeps %j under the name and the key that are stored: raise the generation with them', (version, name, place) => {
    expect(after(indexed(blog, { version }))).toMatchObject({ name, place });
    expect(releaseVersionsProjection.generation).toBe(3);
  });

  it('tells the verdict that readers see, given, taken back or derived anew', () => {
    const first = indexed(blog, { breaking: 'minor' }, { derived: { breaking: 'none' } });
    expect(after(first)).toMatchObject({ breaking: 'minor' });
    expect(after(first, revised(blog, { breaking: null }))).toMatchObject({ breaking: 'unknown' });
    const again = revised(blog, { breaking: null }, { derived: { breaking: 'major' } });
    expect(after(first, again)).toMatchObject({ breaking: 'major' });
  });

  it('moves with the version and the date, given, taken back or derived anew', () => {
    const first = indexed(blog, { version: '1.0.0', publishedAt: march });
    const place = (...events: DomainEvent[]) => {
      const row = after(first, ...events);
      return row && [row.name, row.place, row.publishedMs];
    };
    const marchMs = Date.parse(march);
    expect(place()).toEqual(['', placeOfText('v1'), marchMs]);
    expect(place(revised(blog, { title: 'x' }))).toEqual(['', placeOfText('1'), marchMs]);
    expect(place(revised(blog, { version: 'a@2' }))).toEqual(['a', placeOfText('2'), marchMs]);
    expect(place(revised(blog, { version: 'June' }))).toEqual(['', '!June', marchMs]);
    expect(place(revised(blog, { version: null, publishedAt: null }))).toEqual(['', null, null]);
    const derived = { derived: { publishedAt: march } };
    expect(place(revised(blog, { publishedAt: null }, derived))).toEqual(['', placeOfText('1'), marchMs]);
  });

  it('counts what is neither taken down nor covers another', () => {
    const counted = (...events: DomainEvent[]) => after(indexed(blog), ...events)?.counted;
    const canonical = idOf('rel', 'C');
    const [taken, linkedTo] = [suppressed(blog, null), linked(blog, null, canonical)];
    expect(counted()).toBe(1);
    expect(counted(taken)).toBe(0);
    expect(counted(taken, linkedTo, unsuppressed(blog, null))).toBe(0);
    expect(counted(taken, linkedTo, unsuppressed(blog, null), unlinked(blog, null, canonical))).toBe(1);
    expect(counted(linkedTo, revised(blog, { version: '2' }))).toBe(0);
  });

  it('is gone when the release is erased', () => {
    expect(after(indexed(blog), erased(blog))).toBeUndefined();
    expect(after(erased(blog))).toBeUndefined();
    expect(after(revised(blog, { version: '1' }))).toBeUndefined();
  });
});
