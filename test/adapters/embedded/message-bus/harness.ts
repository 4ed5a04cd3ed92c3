import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { createEmbeddedMessageBus } from '../../../../src/adapters/embedded/message-bus/message-bus.ts';
import { systemClock } from '../../../../src/adapters/system/clock.ts';
import type { MessageBus } from '../../../../src/ports/message-bus.ts';
import type { MessageBusHarness } from '../../../contract/message-bus/harness.ts';
import { createChildProcesses } from '../../../spec/processes/child-processes.ts';
import { memberTtlMs } from './member-ttl.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

/** Longer than a write waits for another process. */
const lockedMs = 5_500;

/** Over data folders of its own, by the system's clock, which is that of the processes it starts too. */
export function createEmbeddedMessageBusHarness(): MessageBusHarness {
  const children = createChildProcesses();
  let folders: TempFolder[] = [];
  let buses = new Map<MessageBus, string>();

  const newFolder = (): string => {
    const folder = createTempFolder();
    folders.push(folder);
    return folder.path;
  };
  const open = async (folder: string): Promise<MessageBus> => {
    const onFatal = (error: Error) => {
      throw error;
    };
    const bus = await createEmbeddedMessageBus({ folder, clock: systemClock, memberTtlMs, onFatal });
    buses.set(bus, folder);
    return bus;
  };
  const folderOf = (bus: MessageBus): string => {
    const folder = buses.get(bus);
    if (folder === undefined) throw new Error('this bus is not one of the harness');
    return folder;
  };

  return {
    make: () => open(newFolder()),
    makeTwoOnOneBackend: async () => {
      const folder = newFolder();
      return [await open(folder), await open(folder)];
    },
    interrupt: async (bus) => {
      const other = new Sqlite(join(folderOf(bus), 'ops.sqlite'), { timeout: lockedMs });
      other.exec('BEGIN IMMEDIATE');
      await systemClock.sleep(lockedMs);
      other.exec('ROLLBACK');
      other.close();
    },
    spawn: async (bus, script) => {
      const told: string[] = [];
      const { child, lines } = children.run(
        import.meta.url,
        'message-bus-child',
        folderOf(bus),
        JSON.stringify(script),
      );
      lines.on('line', (line) => told.push(line));
      return { told: () => told, kill: () => children.kill(child) };
    },
    nowMs: systemClock.nowMs,
    passTime: (ms) => systemClock.sleep(ms),
    close: async () => {
      await children.killAll();
      await Promise.all([...buses.keys()].map((bus) => bus.close()));
      for (const folder of folders) folder.remove();
      [folders, buses] = [[], new Map()];
    },
  };
}
