import { expect, it } from 'vitest';
import { newEvents } from '../../spec/events/events.ts';
import { eventually } from '../../spec/eventually.ts';
import { everyEvent, idsOf } from './every-event.ts';
import { follow } from './follow.ts';
import type { EventStoreHarness } from './harness.ts';

export function specifyResuming(harness: EventStoreHarness): void {
  it('sees neither gap nor repeat when it is cut off again and again while another store writes', async () => {
    const [store, other] = await harness.makeTwoOnOneBackend();
    const drops: Error[] = [];
    const followed = follow(store, { batchSize: 3, onDrop: (error) => void drops.push(error) });
    for (let round = 0; round < 5; round++) {
      for (let index = 0; index < 20; index++) {
        const outcome = await other.append({
          stream: `org-${round}`,
          expectedVersion: index * 2,
          events: newEvents(2),
        });
        expect(outcome).toMatchObject({ outcome: 'appended' });
        if (index === 10) await harness.interrupt(store);
      }
      await eventually('the drop was told', () => drops.length > round);
    }
    await eventually('everything has arrived', () => followed.events.length >= 200);
    await followed.subscription.close();
    expect(idsOf(followed.events)).toEqual(idsOf(await everyEvent(other)));
  });

  it('reads and appends after it was cut off', async () => {
    const store = await harness.make();
    await store.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(1) });
    await harness.interrupt(store);
    const outcome = await store.append({ stream: 'org-a', expectedVersion: 1, events: newEvents(1) });
    expect(outcome).toMatchObject({ outcome: 'appended', version: 2 });
    await harness.interrupt(store);
    expect((await store.read('org-a')).events).toHaveLength(2);
  });
}
