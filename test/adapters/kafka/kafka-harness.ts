import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { MessageBus } from '../../../src/ports/message-bus.ts';
import type { MessageBusHarness } from '../../contract/message-bus/harness.ts';
import { createChildProcesses } from '../../spec/processes/child-processes.ts';
import { eventually } from '../../spec/eventually.ts';
import { type BrokerProxies, startBrokerProxies } from './broker-proxies.ts';
import { createTestBuses } from './test-buses.ts';

/** By the system's clock: the broker runs on the same machine, or on one whose clock is set as well. */
export function createKafkaHarness(brokers: string): MessageBusHarness {
  const children = createChildProcesses();
  const buses = createTestBuses(brokers);
  const proxiesOf = new Map<MessageBus, BrokerProxies>();

  const open = async (): Promise<MessageBus> => {
    const proxies = await startBrokerProxies(brokers);
    const bus = await buses.open({ connect: proxies.connect });
    proxiesOf.set(bus, proxies);
    return bus;
  };

  return {
    make: open,
    makeTwoOnOneBackend: async () => [await open(), await open()],
    interrupt: async (bus) => {
      const proxies = proxiesOf.get(bus);
      if (proxies === undefined) throw new Error('this bus is not one of the harness');
      await proxies.refuse();
      // The first meets the broken connection, the next ones find nobody at all.
      let failed = 0;
      await eventually('calls fail', async () => {
        await bus.topics().catch(() => {
          failed += 1;
        });
        return failed >= 3;
      });
      await proxies.resume();
    },
    spawn: async (_, script) => {
      const told: string[] = [];
      const { child, lines } = children.run(import.meta.url, 'message-bus-child', brokers, JSON.stringify(script));
      lines.on('line', (line) => told.push(line));
      return { told: () => told, kill: () => children.kill(child) };
    },
    nowMs: systemClock.nowMs,
    passTime: (ms) => systemClock.sleep(ms),
    close: async () => {
      await children.killAll();
      await buses.close();
      await Promise.all([...proxiesOf.values()].map((proxies) => proxies.close()));
      proxiesOf.clear();
    },
  };
}
