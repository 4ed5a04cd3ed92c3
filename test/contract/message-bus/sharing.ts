import { expect, it } from 'vitest';
import type { MessageBusHarness } from './harness.ts';
import { createGate, makeNames, newName, numbered, soon, startRecorder, valuesOf, waitingIn } from './recorder.ts';
import { joinBoth } from './two-members.ts';

export function specifySharing(harness: MessageBusHarness): void {
  it('gives each message to one member of the group, and to every member some', async () => {
    const buses = await harness.makeTwoOnOneBackend();
    const names = await makeNames(buses[0]);
    const { members, all } = await joinBoth(buses, names);
    const messages = numbered(200, 50);
    await buses[1].produce(names.topic, messages);
    await soon('nothing waits', async () => (await waitingIn(buses[0], names)) === 0);
    expect(valuesOf(all.finished).sort()).toEqual(valuesOf(messages).sort());
    for (const { finished } of members) expect(finished.length).toBeGreaterThan(0);
  });

  it('gives every message to each of two groups', async () => {
    const buses = await harness.makeTwoOnOneBackend();
    const names = await makeNames(buses[0]);
    const messages = numbered(60, 20);
    await buses[0].produce(names.topic, messages.slice(0, 30));
    const one = startRecorder(buses[0], names);
    const other = startRecorder(buses[1], { ...names, group: newName('group') });
    await buses[0].produce(names.topic, messages.slice(30));
    await soon('both got all', () => one.finished.length >= 60 && other.finished.length >= 60);
    for (const { finished } of [one, other]) expect(valuesOf(finished).sort()).toEqual(valuesOf(messages).sort());
  });

  it('goes on where the group was, and does not hand over again what it finished', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    await bus.produce(names.topic, numbered(40, 10, 'old'));
    const before = startRecorder(bus, names);
    await soon('the old ones are finished', () => before.finished.length >= 40);
    await before.consumer.close();
    const messages = numbered(20, 10, 'new');
    await bus.produce(names.topic, messages);
    const after = startRecorder(bus, names);
    await soon('the new ones are finished', () => after.finished.length >= 20);
    expect(valuesOf(after.begun).sort()).toEqual(valuesOf(messages).sort());
  });

  it('hands the partitions of a member that leaves to those that stay', async () => {
    const buses = await harness.makeTwoOnOneBackend();
    const names = await makeNames(buses[0]);
    const { members, all } = await joinBoth(buses, names);
    await members[0].consumer.close();
    await members[0].consumer.done;
    const messages = numbered(100, 40);
    await buses[0].produce(names.topic, messages);
    await soon('the other gets all', () => new Set(valuesOf(members[1].finished)).size === 100);
    expect(members[0].begun).toEqual([]);
    expect(new Set(valuesOf(all.finished))).toEqual(new Set(valuesOf(messages)));
  });

  it('loses nothing when members come and go under load', async () => {
    const buses = await harness.makeTwoOnOneBackend();
    const names = await makeNames(buses[0]);
    const messages = numbered(600, 60);
    const finished = new Set<string>();
    const handle = async ({ value }: { value: string }) => void finished.add(value);
    const first = startRecorder(buses[0], names, { handle });
    for (let start = 0; start < messages.length; start += 100) {
      await buses[0].produce(names.topic, messages.slice(start, start + 100));
      const passing = startRecorder(buses[1], names, { handle });
      await soon('some more are handled', () => finished.size >= start + 50);
      await passing.consumer.close();
    }
    await soon('all are handled', () => finished.size === messages.length);
    await first.consumer.close();
    expect(await waitingIn(buses[1], names)).toBe(0);
  });

  it('lets a member that joins have its part although the other is busy', async () => {
    const buses = await harness.makeTwoOnOneBackend();
    const names = await makeNames(buses[0]);
    const gate = createGate();
    const busy = startRecorder(buses[0], names, { concurrency: 1, handle: () => gate.passed });
    await buses[0].produce(names.topic, numbered(80, 40));
    await soon('the first is in hand', () => busy.begun.length === 1);
    const joining = startRecorder(buses[1], names);
    await soon('the other has got some', () => joining.finished.length > 0);
    gate.open();
    await soon('nothing waits', async () => (await waitingIn(buses[0], names)) === 0);
    expect(new Set([...valuesOf(busy.finished), ...valuesOf(joining.finished)]).size).toBe(80);
  });
}
