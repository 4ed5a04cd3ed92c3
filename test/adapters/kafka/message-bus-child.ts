import { type ChildScript, runChildScript } from '../../contract/message-bus/child-script.ts';
import { openBus } from './open-bus.ts';

const [brokers, script] = process.argv.slice(2);
if (brokers === undefined || script === undefined) throw new Error('Name the brokers and what to do.');

const bus = await openBus(brokers);
await runChildScript(bus, JSON.parse(script) as ChildScript, (line) => process.stdout.write(`${line}\n`));
