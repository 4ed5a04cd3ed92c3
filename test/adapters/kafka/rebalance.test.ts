import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MessageBus } from '../../../src/ports/message-bus.ts';
import {
  createGate,
  makeNames,
  numbered,
  soon,
  startRecorder,
  waitingIn,
} from '../../contract/message-bus/recorder.ts';
import { describeKafka } from './describe-kafka.ts';
import { createTestBuses } from './test-buses.ts';

describeKafka((brokers) => {
  describe('a member that joins a group of Kafka', () => {
    const opened = createTestBuses(brokers);
    let buses: [MessageBus, MessageBus];
    beforeEach(async () => {
      buses = [await opened.open(), await opened.open()];
    });
    afterEach(() => opened.close());

    it('takes its part, whose messages in hand are lost for the first, and leaves the others in hand', async () => {
      const names = await makeNames(buses[0]);
      await buses[0].produce(names.topic, numbered(60, 60));
      const gate = createGate();
      const signals = new Map<string, AbortSignal>();
      const first = startRecorder(buses[0], names, {
        concurrency: 60,
        handle: async ({ value }, lost) => {
          signals.set(value, lost);
          await gate.passed;
        },
      });
      await soon('all are in hand', () => first.begun.length === 60);
      const second = startRecorder(buses[1], names);
      const lost = () => [...signals].flatMap(([value, { aborted }]) => (aborted ? [value] : []));
      await soon(
        'the other has its part',
        () => second.finished.length > 0 && second.finished.length === lost().length,
      );
      expect(new Set(second.finished.map(({ value }) => value))).toEqual(new Set(lost()));
      expect(new Set(second.finished.map(({ partition }) => partition)).size).toBe(2);

      gate.open();
      await soon('nothing waits', async () => (await waitingIn(buses[0], names)) === 0);
      expect(first.begun).toHaveLength(60);
      expect(second.begun).toHaveLength(lost().length);
    });

    it('is not handed over again what was finished just before', async () => {
      const names = await makeNames(buses[0]);
      const first = startRecorder(buses[0], names);
      await buses[0].produce(names.topic, numbered(1, 1, 'old'));
      await soon('it consumes', () => first.finished.length === 1);
      const second = startRecorder(buses[1], names);
      const seen = new Map<string, number>();
      let round = 0;
      await soon('both have their part', async () => {
        round += 1;
        await buses[0].produce(names.topic, numbered(10, 10, `round-${round}`));
        return second.finished.length > 0;
      });
      await soon('nothing waits', async () => (await waitingIn(buses[0], names)) === 0);
      for (const { value } of [...first.begun, ...second.begun]) seen.set(value, (seen.get(value) ?? 0) + 1);
      expect([...seen].filter(([, times]) => times > 1)).toEqual([]);
    });
  });
});
