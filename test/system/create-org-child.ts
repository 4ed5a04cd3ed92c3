import { createOrg } from '../../commands/org/create-org.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../spec/worlds/embedded-registry.ts';
import { gatedEventStore } from '../spec/gated-event-store.ts';

// Creates one org and kills itself, without warning, at the gate whose number it is given.
const [folder = '', killAt = '0'] = process.argv.slice(2);
let gates = 0;
const store = await openTestEventStore(folder);
const killing = gatedEventStore(store, async () => {
  gates += 1;
  if (gates === Number(killAt)) process.kill(process.pid, 'SIGKILL');
});
const { commands } = createTestRunners(killing, systemClock);
const input = { name: 'Acme', slug: 'acme', domain: 'acme.dev', aliases: ['acme.example'] };
await commands.run(createOrg, input, requestOf(1));
await store.close();
process.stdout.write(`${gates}\n`);
