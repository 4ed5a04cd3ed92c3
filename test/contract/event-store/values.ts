import { expect, it } from 'vitest';
import type { NewEvent } from '../../../src/kernel/event.ts';
import { appendBytesMax } from '../../../src/ports/event-store.ts';
import { newEvent, newEvents } from '../../spec/events/events.ts';
import { everyEvent } from './every-event.ts';
import type { EventStoreHarness } from './harness.ts';

const nested = (depth: number): object => (depth === 0 ? { deepest: true } : { inner: [nested(depth - 1)] });

const values: Record<string, object> = {
  'an empty object': {},
  'empty strings and keys': { '': '', a: [], b: {}, c: [''] },
  'null and booleans': { a: null, b: true, c: false },
  unicode: { ключ: 'значение — “quotes” \u2028\u2029 ﷽ e\u0301 é', astral: '🚀👩‍👩‍👧‍👦𝒳', rtl: '\u202eabc' },
  'control characters': { text: 'a\u0000b\u0001\t\r\n\\"/\u007f' },
  'a lone surrogate': { text: 'x\ud83dy' },
  numbers: {
    max: Number.MAX_SAFE_INTEGER,
    min: Number.MIN_SAFE_INTEGER,
    huge: 1.7976931348623157e308,
    tiny: 5e-324,
    third: 1 / 3,
  },
  'numbers as keys': { 2: 'two', 1: 'one' },
  'deep nesting': nested(200),
};

export function specifyValues(harness: EventStoreHarness): void {
  it('gives back the same JSON', async () => {
    const store = await harness.make();
    const events = Object.values(values).map((data) => newEvent('ThingHappened.v1', data));
    await store.append({ stream: 'org-a', expectedVersion: 0, events });
    const slice = await store.read('org-a');
    const all = await store.readAll({ afterPosition: 0, limit: 100 });
    for (const [index, [name, data]] of Object.entries(values).entries()) {
      expect(slice.events[index]?.data, name).toEqual(data);
      expect(all.events[index]?.data, name).toEqual(data);
    }
  });

  it('keeps 5 MiB of text as parts of at most 256 KiB over several appends', async () => {
    const store = await harness.make();
    const line = 'Ünïcode 🚀 and plain text, again and again.\n'; // cut between lines, so never inside a pair
    const linesPerPart = Math.floor((256 * 1024) / Buffer.byteLength(JSON.stringify(line)));
    const partBytes = linesPerPart * Buffer.byteLength(line);
    const parts = Array.from({ length: Math.ceil((5 * 1024 * 1024) / partBytes) }, () => line.repeat(linesPerPart));
    for (let start = 0; start < parts.length; start += 3) {
      const events = parts.slice(start, start + 3).map((text) => newEvent('PartStored.v1', { text }));
      const outcome = await store.append({ stream: 'body-a', expectedVersion: start, events });
      expect(outcome).toMatchObject({ outcome: 'appended', version: start + events.length });
    }
    const text = parts.join('');
    const textOf = (events: readonly { data: object }[]) => events.map(({ data }) => (data as { text: string }).text);
    expect(textOf((await store.read('body-a')).events).join('') === text).toBe(true);
    expect(textOf(await everyEvent(store)).join('') === text).toBe(true);
  });

  it('accepts an append just below the bound', async () => {
    const store = await harness.make();
    const text = 'x'.repeat(appendBytesMax - 1000);
    const append = { stream: 'org-a', expectedVersion: 0, events: [newEvent('ThingHappened.v1', { text })] };
    expect(await store.append(append)).toMatchObject({ outcome: 'appended', version: 1 });
  });

  const id = newEvent().id;
  const refused: Record<string, NewEvent[]> = {
    'an empty append': [],
    'an append over the bound': newEvents(4).map((event) => ({
      ...event,
      data: { text: 'ä'.repeat(appendBytesMax / 8) },
    })),
    undefined: [newEvent(), newEvent('ThingHappened.v1', { a: undefined })],
    'a number that is no JSON': [newEvent(), newEvent('ThingHappened.v1', { a: Number.NaN })],
    'a big integer': [newEvent('ThingHappened.v1', { a: 1n })],
    'a function': [newEvent('ThingHappened.v1', { a: () => 1 })],
    'an id that is no UUID': [{ ...newEvent(), id: 'e1' }],
    'an id twice in one append': [
      { ...newEvent(), id },
      { ...newEvent(), id },
    ],
  };
  it('refuses what cannot be stored everywhere, before anything is stored', async () => {
    const store = await harness.make();
    const good = { stream: 'org-a', expectedVersion: 0, events: newEvents(1) };
    for (const [name, events] of Object.entries(refused)) {
      const bad = { stream: 'org-b', expectedVersion: 0, events };
      await expect(store.append(bad), name).rejects.toThrow();
      await expect(store.appendMany([good, bad]), name).rejects.toThrow();
      expect(await store.head(), name).toBe(0);
    }
    expect(await store.append(good)).toMatchObject({ outcome: 'appended', version: 1 });
  });

  it('refuses the same stream twice in one call', async () => {
    const store = await harness.make();
    const append = () => ({ stream: 'org-a', expectedVersion: 0, events: newEvents(1) });
    await expect(store.appendMany([append(), append()])).rejects.toThrow();
    expect(await store.head()).toBe(0);
  });
}
