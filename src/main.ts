#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { type CliCommand, UsageError } from './cli/cli-command.ts';
import { eventsCommand } from './cli/events.ts';
import { projectionsCommand } from './cli/projections.ts';
import { rebuildCommand } from './cli/rebuild.ts';
import { StartupError } from './kernel/startup-error.ts';

const commands: Readonly<Record<string, CliCommand>> = {
  projections: projectionsCommand,
  rebuild: rebuildCommand,
  events: eventsCommand,
};

const usage = [
  'registry <command> [--data <folder>] [--json]',
  ...Object.values(commands).map((command) => `  ${command.usage.padEnd(16)} ${command.summary}`),
].join('\n');

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { data: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const [name = '', ...words] = positionals;
  const command = commands[name];
  if (command === undefined) throw new UsageError(name === '' ? 'Name a command.' : `There is no command ${name}.`);
  return command.run({
    dataDir: values.data ?? process.env['DATA_DIR'] ?? 'data',
    json: values.json,
    words,
    print: (line) => void process.stdout.write(`${line}\n`),
    note: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY,
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof UsageError || (error instanceof TypeError && 'code' in error)) {
    console.error(`${error.message}\n\n${usage}`);
    process.exitCode = 2;
  } else if (error instanceof StartupError) {
    console.error(error.message);
    process.exitCode = 1;
  } else {
    console.error(error);
    process.exitCode = 1;
  }
}
