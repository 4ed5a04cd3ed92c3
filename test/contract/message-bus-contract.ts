import { afterEach, describe } from 'vitest';
import { specifyCommitting } from './message-bus/committing.ts';
import { specifyDelaying } from './message-bus/delaying.ts';
import { specifyDurability } from './message-bus/durability.ts';
import { specifyFailing } from './message-bus/failing.ts';
import type { MessageBusHarness } from './message-bus/harness.ts';
import { specifyLimiting } from './message-bus/limiting.ts';
import { specifyOrdering } from './message-bus/ordering.ts';
import { specifySharing } from './message-bus/sharing.ts';
import { specifyTopics } from './message-bus/topics.ts';
import { specifyValues } from './message-bus/values.ts';

/** What every message bus promises. There are no options: an adapter passes all of it. */
export function messageBusContract(name: string, harness: MessageBusHarness): void {
  describe(`message bus: ${name}`, () => {
    afterEach(() => harness.close());

    describe('topics', () => specifyTopics(harness));
    describe('values', () => specifyValues(harness));
    describe('ordering', () => specifyOrdering(harness));
    describe('sharing', () => specifySharing(harness));
    describe('failing', () => specifyFailing(harness));
    describe('limiting', () => specifyLimiting(harness));
    describe('delaying', () => specifyDelaying(harness));
    describe('committing', () => specifyCommitting(harness));
    describe('durability', () => specifyDurability(harness));
  });
}
