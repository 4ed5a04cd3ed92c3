import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import type { MessageBus } from '../../../src/ports/message-bus.ts';
import { makeNames, soon, startRecorder, valuesOf, waitingIn } from '../../contract/message-bus/recorder.ts';
import { hasNativeKafka, type NativeKafka, startNativeKafka } from '../../spec/servers/native-kafka.ts';
import { openBus } from './open-bus.ts';
import { startProducers } from './start-producers.ts';

describe.skipIf(!hasNativeKafka())('a broker that is killed', () => {
  let kafka: NativeKafka;
  const buses: MessageBus[] = [];
  beforeAll(async () => {
    kafka = await startNativeKafka();
  });
  afterEach(() => Promise.all(buses.map((bus) => bus.close())));
  afterAll(() => kafka.wipe());

  it('loses nothing that was acknowledged, and everybody goes on by himself when it is back', async () => {
    const [bus, other] = [await openBus(kafka.brokers), await openBus(kafka.brokers)];
    buses.push(bus, other);
    const names = await makeNames(bus);
    const drops: Error[] = [];
    const onDrop = (error: Error) => void drops.push(error);
    const recorders = [bus, other].map((each) => startRecorder(each, names, { onDrop }));
    const producers = startProducers(bus, names.topic, 3);
    await soon('it flows', () => recorders.every(({ finished }) => finished.length > 50));

    await kafka.kill();
    await soon('calls fail', () => producers.failures.length >= 3 && drops.length >= 2);
    await expect(bus.topics()).rejects.toThrow(BackendUnavailable);
    await expect(bus.progress(names.group, [names.topic])).rejects.toThrow(BackendUnavailable);
    for (const failure of producers.failures) expect(failure).toBeInstanceOf(BackendUnavailable);
    await kafka.start();

    const before = producers.acknowledged.length;
    await soon('it is produced again', () => producers.acknowledged.length > before + 50);
    await producers.stop();
    await soon('nothing waits', async () => (await waitingIn(bus, names)) === 0);
    const finished = new Set(recorders.flatMap((recorder) => valuesOf(recorder.finished)));
    expect(producers.acknowledged.filter((value) => !finished.has(value))).toEqual([]);
  });
});
