import { once } from 'node:events';
import { makeNames, startRecorder } from '../../contract/message-bus/recorder.ts';
import { createTestBuses } from './test-buses.ts';

// Opens a bus, uses and closes it. Then nothing must keep this process.
const [brokers, server] = process.argv.slice(2);
if (brokers === undefined) throw new Error('Name the brokers.');

const buses = createTestBuses(brokers);
const bus = await buses.open();
const seen = new EventTarget();
if (server === 'absent') {
  const dropped = once(seen, 'drop');
  const names = { topic: 'a', group: 'g', deadLetterTopic: 'd' };
  startRecorder(bus, names, { onDrop: () => void seen.dispatchEvent(new Event('drop')) });
  await dropped;
  await bus.topics().catch(() => undefined);
} else {
  const names = await makeNames(bus);
  const handled = once(seen, 'handled');
  startRecorder(bus, names, { handle: async () => void seen.dispatchEvent(new Event('handled')) });
  await bus.produce(names.topic, [{ key: 'k', value: 'v' }]);
  await handled;
  await bus.progress(names.group, [names.topic]);
}
await buses.close();
