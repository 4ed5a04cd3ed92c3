#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { type CliCommand, type CliFlags, UsageError } from './cli/cli-command.ts';
import { doctorCommand } from './cli/doctor.ts';
import { eventsCommand } from './cli/events.ts';
import { importCommand } from './cli/import.ts';
import { migrateCommand } from './cli/migrate.ts';
import { projectionsCommand } from './cli/projections.ts';
import { rebuildCommand } from './cli/rebuild.ts';
import { serveCommand } from './cli/serve.ts';
import { tokenCommand } from './cli/token.ts';
import { topicsCommand } from './cli/topics.ts';
import { readConfig } from './config/settings.ts';
import { BackendUnavailable } from './kernel/backend-unavailable.ts';
import { StartupError } from './kernel/startup-error.ts';

const commands: Readonly<Record<string, CliCommand>> = {
  serve: serveCommand,
  import: importCommand,
  token: tokenCommand,
  projections: projectionsCommand,
  rebuild: rebuildCommand,
  events: eventsCommand,
  topics: topicsCommand,
  migrate: migrateCommand,
  doctor: doctorCommand,
};

const commonFlags = { data: { type: 'string' }, wait: { type: 'string' }, json: { type: 'boolean' } } as const;

const usage = [
  'registry <command> [--data <folder>] [--wait <seconds>] [--json]',
  ...Object.values(commands).map((command) => `  ${command.usage}\n      ${command.summary}`),
].join('\n');

/** Flags of any command are understood, so that they may stand before its name; then it must know them. */
function parseCommandLine(): { command: CliCommand; words: string[]; flags: CliFlags } {
  const allFlags = Object.assign({}, ...Object.values(commands).map(({ flags }) => flags), commonFlags);
  const { values, positionals } = parseArgs({ allowPositionals: true, options: allFlags });
  const [name = '', ...words] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(name === '' ? 'Name a command.' : `There is no command ${name}.`);
  const unknown = Object.keys(values).find((flag) => !(flag in { ...command.flags, ...commonFlags }));
  if (unknown !== undefined) throw new UsageError(`The command ${name} takes no --${unknown}.`);
  return { command, words, flags: values as CliFlags };
}

const textsOf = (flags: CliFlags): Record<string, string> =>
  Object.fromEntries(Object.entries(flags).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

async function main(): Promise<number> {
  const { command, words, flags } = parseCommandLine();
  return command.run({
    config: readConfig(process.env, textsOf(flags)),
    json: flags['json'] === true,
    words,
    flags,
    print: (line) => void process.stdout.write(`${line}\n`),
    note: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY,
  });
}

// Whoever reads the output may stop at any line; that is no reason to stop working.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: Error & { code?: string }) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof UsageError || (error instanceof TypeError && 'code' in error)) {
    console.error(`${error.message}\n\n${usage}`);
    process.exitCode = 2;
  } else if (error instanceof BackendUnavailable) {
    console.error(`${error.message}. What was done so far is stored; run the same command again when it is back.`);
    process.exitCode = 1;
  } else if (error instanceof StartupError) {
    console.error(error.message);
    process.exitCode = 1;
  } else {
    console.error(error);
    process.exitCode = 1;
  }
}
