import { inspect } from 'node:util';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createEventStoreDbProbe } from '../../../src/adapters/eventstoredb/probe.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { specifyAppending } from '../../contract/event-store/appending.ts';
import { follow } from '../../contract/event-store/follow.ts';
import { specifyIdempotence } from '../../contract/event-store/idempotence.ts';
import { specifyResuming } from '../../contract/event-store/resuming.ts';
import { newEvents } from '../../spec/events/events.ts';
import { eventually } from '../../spec/eventually.ts';
import { createTempFolder } from '../../spec/temp-folder.ts';
import { createStandinSecurity } from '../../standin/eventstoredb/standin-security.ts';
import { createEventStoreDbHarness } from './eventstoredb-harness.ts';
import { useStandin } from './use-standin.ts';

const password = 'correct: horse/battery?@staple';
const folder = createTempFolder();
afterAll(() => folder.remove());
const { standin, control, open } = useStandin({ nodes: 3, security: createStandinSecurity(folder.path, password) });

const append = { stream: 'org-a', expectedVersion: 0, events: newEvents(2) };
const calls: Record<string, (store: EventStore) => Promise<unknown>> = {
  append: (store) => store.append(append),
  read: (store) => store.read('org-a'),
  readAll: (store) => store.readAll({ afterPosition: 0, limit: 10 }),
  head: (store) => store.head(),
  truncate: (store) => store.truncate('org-a', 2),
  subscribe: (store) => follow(store).subscription.done,
};

/** Everything that a log line could show of it. */
const shownOf = (error: unknown): string => inspect(error, { depth: 20, showHidden: true });
const rejected = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('It has not failed.'),
    (error: Error) => error,
  );

describe('EventStoreDB stand-in with TLS, user and password', () => {
  const harness = createEventStoreDbHarness(() => ({
    url: standin().url,
    empty: async () => {
      await control({ command: 'reset' });
      return true;
    },
    dropConnections: () => control({ command: 'drop-connections' }),
  }));
  afterEach(() => harness.close());

  specifyAppending(harness);
  specifyIdempotence(harness);
  specifyResuming(harness);

  it('goes along when another node leads', async () => {
    const store = await open();
    const followed = follow(store);
    await store.append(append);
    await control({ command: 'elect', node: 1, oldLags: true });
    const next = { ...append, expectedVersion: 2, events: newEvents(1) };
    expect(await store.append(next)).toMatchObject({ outcome: 'appended', version: 3 });
    await eventually('it follows', () => followed.events.length === 3);
    await followed.subscription.close();
  });
});

describe('EventStoreDB stand-in with TLS, refused', () => {
  const wrong = 'wrong-password';
  const wrongUrl = () => standin().url.replace(encodeURIComponent(password), wrong);
  /** Whoever knows several asks them for the leader first, and does not tell why none could be asked. */
  const oneNodeOf = (url: string) => url.replace(/,.*\?/, '?');
  const sentence = 'EventStoreDB refuses the user or the password of EVENT_STORE_URL.';

  it.each(Object.entries(calls))('says so in a sentence and tries nothing again: %s', async (_, call) => {
    const sleepsMs: number[] = [];
    const sleep: Clock['sleep'] = async (ms) => void sleepsMs.push(ms);
    const store = await open({ url: oneNodeOf(wrongUrl()), clock: { ...systemClock, sleep } });
    const error = await rejected(call(store));
    expect(error).not.toBeInstanceOf(BackendUnavailable);
    expect(error.message).toBe(sentence);
    expect(sleepsMs).toEqual([]);
    for (const text of [wrong, Buffer.from(`registry:${wrong}`).toString('base64')])
      expect(shownOf(error)).not.toContain(text);
  });

  it('is told by the probe too', async () => {
    const probe = createEventStoreDbProbe({ url: wrongUrl(), random: systemRandom });
    for (const call of [probe.reach, probe.appendLimitOk]) expect((await rejected(call())).message).toBe(sentence);
    await probe.close();
  });

  it('is an outage when the certificate is of an authority that nobody named', async () => {
    const store = await open({ url: oneNodeOf(standin().url).replace(/&tlsCAFile=.*/, '') });
    const error = await rejected(store.append(append));
    expect(error).toBeInstanceOf(BackendUnavailable);
    expect(shownOf(error)).toContain('certificate');
    expect(shownOf(error)).not.toContain(password);
  });

  it('shows the right password nowhere when the server goes away', async () => {
    const store = await open({ timeoutMs: 500 });
    await control({ fault: 'hang', method: 'append', times: 9 });
    const error = await rejected(store.append(append));
    expect(error).toBeInstanceOf(BackendUnavailable);
    for (const text of [password, encodeURIComponent(password), Buffer.from(`registry:${password}`).toString('base64')])
      expect(shownOf(error)).not.toContain(text);
  });
});
