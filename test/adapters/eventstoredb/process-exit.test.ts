import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { createChildProcesses } from '../../spec/processes/child-processes.ts';
import { eventually } from '../../spec/eventually.ts';
import { newEvents } from '../../spec/events/events.ts';
import { follow } from '../../contract/event-store/follow.ts';
import { useStandin } from './use-standin.ts';

const { standin, open } = useStandin();
const children = createChildProcesses();
afterAll(() => children.killAll());

describe('EventStoreDB stand-in, trap 14: a connection that outlives its client', () => {
  it('lets the process end by itself after the store was closed', async () => {
    const { child } = children.run(import.meta.url, 'process-exit-child', standin().url);
    expect((await once(child, 'exit'))[0]).toBe(0);
  });

  it('lets the process end by itself when the server was never there', async () => {
    const { child } = children.run(import.meta.url, 'process-exit-child', 'esdb://127.0.0.1:1?tls=false', 'absent');
    expect((await once(child, 'exit'))[0]).toBe(0);
  });

  it('leaves no connection to the server', async () => {
    const store = await open();
    await store.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(1) });
    const followed = follow(store);
    await eventually('it follows', () => followed.events.length === 1);
    expect((await standin().stats()).connections).toBeGreaterThan(0);
    await store.close();
    await eventually('no connection is left', async () => (await standin().stats()).connections === 0);
  });
});
