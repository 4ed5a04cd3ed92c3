import { createEmbeddedMessageBus } from '../../../../src/adapters/embedded/message-bus/message-bus.ts';
import { systemClock } from '../../../../src/adapters/system/clock.ts';
import { type ChildScript, runChildScript } from '../../../contract/message-bus/child-script.ts';
import { memberTtlMs } from './member-ttl.ts';

const [folder, script] = process.argv.slice(2);
if (folder === undefined || script === undefined) throw new Error('Name the data folder and what to do.');

const bus = await createEmbeddedMessageBus({
  folder,
  clock: systemClock,
  memberTtlMs,
  onFatal: (error) => {
    throw error;
  },
});
await runChildScript(bus, JSON.parse(script) as ChildScript, (line) => process.stdout.write(`${line}\n`));
