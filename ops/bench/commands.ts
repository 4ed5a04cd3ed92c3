import { createCollection } from '../../commands/collection/create-collection.ts';
import { changeOrg } from '../../commands/org/change-org.ts';
import { createOrg } from '../../commands/org/create-org.ts';
import { linkAccount } from '../../commands/org/link-account.ts';
import { createSource } from '../../commands/source/create-source.ts';
import type { CommandRequest } from '../../src/kernel/command.ts';
import type { CommandRunner } from '../../src/runtime/commands/command-runner.ts';
import type { Figure } from './bench-report.ts';
import { withDatabase } from './mongodb.ts';
import { secondsSince } from './worlds/bench-folder.ts';
import { type OpenedWith, withRegistry } from './worlds/opened-registry.ts';
import { benchRequest } from './worlds/seeded-data.ts';
import { withStandin } from './worlds/standin.ts';

const callersAtOnce = 64;
const commandsMeasured = 4_000;
/** Not counted: the first ones pay for code that is not compiled yet. */
const commandsBefore = 500;
const firstRequest = 3_000_000;

type Command = (commands: CommandRunner, number: number, request: CommandRequest) => Promise<unknown>;

/** In this order: what one makes, later ones change. */
const kinds = (orgIds: string[]): Readonly<Record<string, Command>> => ({
  'orgs created': async (commands, number, request) => {
    orgIds[number] = (await commands.run(createOrg, { name: `Named ${number}` }, request)).id;
  },
  'orgs changed': (commands, number, request) =>
    commands.run(changeOrg, { orgId: orgIds[number]!, changes: { description: `Makes things, ${number}.` } }, request),
  'accounts linked': (commands, number, request) => {
    const account = { platform: 'github', handle: `handle-${number}` };
    return commands.run(linkAccount, { orgId: orgIds[number]!, account }, request);
  },
  'sources created': (commands, number, request) => {
    const source = { orgId: orgIds[number]!, name: 'Changelog', url: `https://example.com/${number}` };
    return commands.run(createSource, source, request);
  },
  'collections created': (commands, number, request) =>
    commands.run(createCollection, { name: `Collection ${number}` }, request),
});

const ratesOf = (opened: OpenedWith, where: string, atLeast: number): Promise<Figure[]> =>
  withRegistry(opened, async ({ commands }) => {
    let request = firstRequest;
    const figures: Figure[] = [];
    for (const [name, command] of Object.entries(kinds([]))) {
      let number = 0;
      const runUpTo = async (end: number): Promise<void> => {
        const caller = async () => {
          while (number < end) await command(commands, number++, benchRequest((request += 1)));
        };
        await Promise.all(Array.from({ length: callersAtOnce }, caller));
      };
      await runUpTo(commandsBefore);
      const startedMs = performance.now();
      await runUpTo(commandsBefore + commandsMeasured);
      const value = commandsMeasured / secondsSince(startedMs);
      figures.push({ metric: `${name} by ${callersAtOnce} callers, ${where}`, value, unit: '/s', atLeast });
    }
    return figures;
  });

const onServers = (): Promise<Figure[]> =>
  withStandin((eventStoreUrl) =>
    withDatabase((mongodbUrl) => ratesOf({ eventStoreUrl, mongodbUrl }, 'on servers', 300)),
  );

/** Commands of one kind, each on a stream of its own, with the read models following. */
export async function runCommands(): Promise<Figure[]> {
  const embedded = await ratesOf({}, 'embedded', 2_000);
  return process.env['MONGODB_URL_FOR_TESTS'] ? [...embedded, ...(await onServers())] : embedded;
}
