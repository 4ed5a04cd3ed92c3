import { afterEach, describe } from 'vitest';
import { specifyAppending } from './event-store/appending.ts';
import { specifyDurability } from './event-store/durability.ts';
import type { EventStoreHarness } from './event-store/harness.ts';
import { specifyIdempotence } from './event-store/idempotence.ts';
import { specifyReading } from './event-store/reading.ts';
import { specifyResuming } from './event-store/resuming.ts';
import { specifySubscribing } from './event-store/subscribing.ts';
import { specifyTruncating } from './event-store/truncating.ts';
import { specifyValues } from './event-store/values.ts';

/** What every event store promises. There are no options: an adapter passes all of it. */
export function eventStoreContract(name: string, harness: EventStoreHarness): void {
  describe(`event store: ${name}`, () => {
    afterEach(() => harness.close());

    describe('appending', () => specifyAppending(harness));
    describe('repeating an append', () => specifyIdempotence(harness));
    describe('reading', () => specifyReading(harness));
    describe('values', () => specifyValues(harness));
    describe('subscribing', () => specifySubscribing(harness));
    describe('resuming', () => specifyResuming(harness));
    describe('truncating', () => specifyTruncating(harness));
    describe('durability', () => specifyDurability(harness));
  });
}
