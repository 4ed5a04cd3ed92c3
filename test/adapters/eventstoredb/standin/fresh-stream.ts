import type { EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { clientOf, counted, newStreamName, plainPath } from '../../../standin/eventstoredb/standin-fixture.ts';
import { type Standin, startStandin } from '../../../standin/eventstoredb/standin-process.ts';

/** Of the test that runs now. */
export let standin: Standin;
export let client: EventStoreDBClient;
export let stream: string;

export interface FreshStreamOptions {
  readonly holding?: readonly number[];
  /** For faults after which a client never ends its calls. */
  readonly leavesClients?: true;
}

/** One EventStoreDB stand-in for a file of tests, emptied before each, with a stream that holds these numbers. */
export function useFreshStream({ holding = [], leavesClients }: FreshStreamOptions = {}): void {
  beforeAll(async () => {
    standin = await startStandin();
  });
  afterAll(() => standin.close());
  beforeEach(async () => {
    await standin.control({ command: 'reset' });
    client = clientOf(standin);
    stream = newStreamName();
    const events = holding.map((number) => counted(number));
    if (events.length > 0) await client.appendToStream(stream, events, plainPath);
  });
  if (!leavesClients) afterEach(() => client.dispose());
}
