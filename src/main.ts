#!/usr/bin/env node
import { type CliFlags, UsageError } from './cli/cli-command.ts';
import { type CommandLine, namesOfCommands, readCommandLine, usageOf, usageOfAll } from './cli/command-line.ts';
import { BackendUnavailable } from './kernel/backend-unavailable.ts';
import { serviceName, serviceVersion } from './kernel/service-version.ts';
import { StartupError } from './kernel/startup-error.ts';

const textsOf = (flags: CliFlags): Record<string, string> =>
  Object.fromEntries(Object.entries(flags).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function main({ name, command, words, asksFor, flags: readFlags }: CommandLine): Promise<number> {
  if (asksFor === 'version') {
    print(`${serviceName} ${serviceVersion}`);
    return 0;
  }
  if (asksFor === 'help' && name === '') {
    print(usageOfAll);
    return 0;
  }
  if (command === undefined) throw new UsageError(name === '' ? 'Name a command.' : `There is no command ${name}.`);
  if (asksFor === 'help') {
    print(usageOf(command));
    return 0;
  }
  const flags = readFlags();
  // Loaded only here: the settings and most commands cost more to load than the words about them.
  const { readConfig } = await import('./config/read-config.ts');
  const config = readConfig(process.env, textsOf(flags), (sentence) => new UsageError(sentence));
  const run = await command.load();
  return run({
    config,
    json: flags['json'] === true,
    words,
    flags,
    print,
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

const line = readCommandLine(process.argv.slice(2));
try {
  process.exitCode = await main(line);
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${line.command === undefined ? namesOfCommands : usageOf(line.command)}`);
    process.exitCode = 2;
  } else if (error instanceof BackendUnavailable) {
    console.error(`${error.message}. What was done so far is stored; run the same command again when it is back.`);
    process.exitCode = 1;
  } else if (error instanceof StartupError || (error instanceof Error && error.name === 'IndexUnavailable')) {
    // The latter by its name: nothing of search is loaded for a command that does not search.
    console.error(error.message);
    process.exitCode = 1;
  } else {
    console.error(error);
    process.exitCode = 1;
  }
}
