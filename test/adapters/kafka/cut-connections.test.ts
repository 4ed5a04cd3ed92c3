import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import { makeNames, numbered, soon, startRecorder, valuesOf, waitingIn } from '../../contract/message-bus/recorder.ts';
import { createSeeded } from '../../spec/seeded.ts';
import { type BrokerProxies, startBrokerProxies } from './broker-proxies.ts';
import { describeKafka } from './describe-kafka.ts';
import { startProducers } from './start-producers.ts';
import { createTestBuses } from './test-buses.ts';

describeKafka((brokers) => {
  describe('connections that break', () => {
    let proxies: BrokerProxies;
    const buses = createTestBuses(brokers);
    beforeAll(async () => {
      proxies = await startBrokerProxies(brokers);
    });
    afterEach(() => buses.close());
    afterAll(() => proxies.close());

    it('cost nothing that was acknowledged, although answers are lost over and over', async () => {
      const bus = await buses.open({ connect: proxies.connect });
      const names = await makeNames(bus, { partitions: 2 });
      const producers = startProducers(bus, names.topic, 8);
      const seeded = createSeeded(7);
      for (let round = 0; round < 40; round += 1) {
        const before = producers.acknowledged.length;
        await soon('it is produced', () => producers.acknowledged.length > before + 20);
        proxies.cutAfter(seeded.int(1, 30));
      }
      await producers.stop();
      proxies.cut();
      const { finished } = startRecorder(bus, names, { concurrency: 50 });
      await soon('nothing waits', async () => {
        const waiting = await waitingIn(bus, names).catch(() => null); // the cut may meet the first call
        return waiting === 0;
      });
      const stored = new Set(valuesOf(finished));
      expect(producers.acknowledged.filter((value) => !stored.has(value))).toEqual([]);
    });

    it('fail calls in time when nobody answers, and are used again when somebody does', async () => {
      const bus = await buses.open({ connect: proxies.connect });
      const names = await makeNames(bus);
      await bus.produce(names.topic, numbered(3, 3));
      proxies.hold();
      const calls = [bus.produce(names.topic, numbered(3, 3)), bus.topics(), bus.progress(names.group, [names.topic])];
      for (const { status, reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) {
        expect(status).toBe('rejected');
        expect(reason).toBeInstanceOf(BackendUnavailable);
      }
      await proxies.resume();
      await soon('it answers', () => bus.topics().then(Boolean, () => false));
      await soon('it is produced', () =>
        bus.produce(names.topic, numbered(1, 1)).then(
          () => true,
          () => false,
        ),
      );
    });
  });
});
