import { expect, it } from 'vitest';
import { attemptsMax, type MessageBus, type ReceivedMessage } from '../../../src/ports/message-bus.ts';
import type { MessageBusHarness } from './harness.ts';
import { type BusNames, makeNames, newName, numbered, soon, startRecorder, valuesOf, waitingIn } from './recorder.ts';

const failsAt =
  (value: string, error: () => unknown = () => new Error('refused')) =>
  async (message: ReceivedMessage): Promise<void> => {
    if (message.value === value) throw error();
  };

const deadLettersOf = (bus: MessageBus, { deadLetterTopic }: BusNames) =>
  startRecorder(bus, { topic: deadLetterTopic, group: newName('group'), deadLetterTopic }).begun;

export function specifyFailing(harness: MessageBusHarness): void {
  it('hands a message over again when its handler fails, while those behind it go on, also of its key', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    await bus.produce(
      names.topic,
      ['first', 'second', 'third'].map((value) => ({ key: 'same', value })),
    );
    const { begun, finished } = startRecorder(bus, names, {
      handle: async ({ value, attempt }) => {
        if (value === 'first' && attempt < 3) throw new Error('not yet');
      },
    });
    await soon('all are finished', () => finished.length >= 3);
    expect(begun.filter(({ value }) => value === 'first').map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(valuesOf(finished)).toEqual(['second', 'third', 'first']);
    await soon('nothing waits', async () => (await waitingIn(bus, names)) === 0);
  });

  it('buries a message that is as large as one may be', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    const value = 'x'.repeat(999_999);
    const { begun } = startRecorder(bus, names, { handle: failsAt(value) });
    await bus.produce(names.topic, [{ key: 'k', value }]);
    const dead = deadLettersOf(bus, names);
    await soon('it is dead', () => dead.length > 0);
    await soon('nothing waits', async () => (await waitingIn(bus, names)) === 0);
    expect(begun).toHaveLength(attemptsMax);
    expect(dead.map((letter) => letter.value.length)).toEqual([value.length]);
  });

  it('puts a message that failed too often into the dead-letter topic as it came, once, and moves on', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    const poison = { key: 'kéy', value: 'poison {', headers: { traceparent: '00-1' } };
    const told: [ReceivedMessage, unknown][] = [];
    const error = Object.assign(new TypeError('token hunter2 of https://user:pass@example.test was refused'));
    const recorder = startRecorder(bus, names, {
      handle: failsAt('poison {', () => error),
      onDeadLetter: (message, reason) => void told.push([message, reason]),
    });
    await bus.produce(names.topic, [poison, { key: 'kéy', value: 'behind' }]);
    const dead = deadLettersOf(bus, names);
    await soon('it is dead', () => dead.length > 0 && told.length > 0);
    await soon('nothing waits', async () => (await waitingIn(bus, names)) === 0);

    const attempts = recorder.begun.filter(({ value }) => value === 'poison {');
    expect(attempts.map(({ attempt }) => attempt)).toEqual(Array.from({ length: attemptsMax }, (_, i) => i + 1));
    expect(valuesOf(recorder.finished)).toEqual(['behind']);
    expect(dead).toHaveLength(1);
    const { key, value, headers } = dead[0]!;
    const origin = attempts[0]!;
    expect({ key, value, headers }).toEqual({
      ...poison,
      headers: {
        traceparent: '00-1',
        'x-origin-topic': names.topic,
        'x-origin-partition': String(origin.partition),
        'x-origin-offset': String(origin.offset),
        'x-error': expect.stringContaining('TypeError'),
      },
    });
    expect(headers['x-error']!.length).toBeLessThanOrEqual(200);
    expect(headers['x-error']).not.toMatch(/hunter2|pass|example/);
    expect(told).toEqual([[attempts.at(-1), error]]);

    await bus.produce(names.topic, [{ key: 'kéy', value: 'later' }]);
    await soon('a later one is finished', () => recorder.finished.length === 2);
    await recorder.consumer.close();
    const successor = startRecorder(bus, names);
    await bus.produce(names.topic, [{ key: 'kéy', value: 'last' }]);
    await soon('the last is finished', () => successor.finished.length > 0);
    expect(valuesOf(successor.begun)).toEqual(['last']);
  });

  it('does not let poison stand in the way of others, even one at a time', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus, { partitions: 1 });
    const poison = numbered(5, 5, 'poison');
    const good = numbered(50, 5, 'good');
    await bus.produce(names.topic, [...poison, ...good]);
    const { finished } = startRecorder(bus, names, {
      concurrency: 1,
      handle: async ({ value }) => {
        if (value.startsWith('poison')) throw new Error('refused');
      },
    });
    const dead = deadLettersOf(bus, names);
    await soon('all are handled', () => finished.length >= 50 && dead.length >= 5);
    expect(valuesOf(finished)).toEqual(valuesOf(good));
    expect(valuesOf(dead).sort()).toEqual(valuesOf(poison));
  });

  it('takes whatever a handler throws, and one that does not wait to throw', async () => {
    const bus = await harness.make();
    const names = await makeNames(bus);
    await bus.produce(names.topic, numbered(3, 3, 'odd'));
    const thrown: Record<string, unknown> = { 'odd-0': undefined, 'odd-1': 'a secret text' };
    startRecorder(bus, names, {
      handle: ({ value }) => {
        throw Object.hasOwn(thrown, value) ? thrown[value] : Object.assign(new Error('x'), { code: 'E_ODD' });
      },
    });
    const dead = deadLettersOf(bus, names);
    await soon('all are dead', () => dead.length >= 3);
    for (const { headers } of dead) {
      expect(headers['x-error']).toMatch(/./);
      expect(headers['x-error']).not.toContain('secret');
    }
  });
}
