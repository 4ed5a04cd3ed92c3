import { parseArgs } from 'node:util';
import { allCommands } from './all-commands.ts';
import { type CliCommand, type CliFlags, type FlagKinds, UsageError } from './cli-command.ts';

const commonFlags: FlagKinds = { data: { type: 'string' }, wait: { type: 'string' }, json: { type: 'boolean' } };
const askingFlags: FlagKinds = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } };

export interface CommandLine {
  /** The first word, which may name no command; empty when there is none. */
  readonly name: string;
  /** What the words are about: also of `help <command>`. */
  readonly command: CliCommand | undefined;
  readonly words: readonly string[];
  readonly asksFor: 'help' | 'version' | 'work';
  /** Throws a `UsageError` for a word or a flag that the command does not take, or not so. */
  readonly flags: () => CliFlags;
}

const commandNamed = (name: string): CliCommand | undefined =>
  Object.hasOwn(allCommands, name) ? allCommands[name] : undefined;

/** Flags of any command are understood, so that they may stand before its name; then it must know them. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const anyFlags: FlagKinds = Object.assign({}, ...Object.values(allCommands).map(({ flags }) => flags), commonFlags);
  const options = { ...anyFlags, ...askingFlags };
  const { tokens, positionals } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const given = tokens.filter((token) => token.kind === 'option');
  const isGiven = (flag: string) => given.some(({ name }) => name === flag);
  const [first = '', ...rest] = positionals;
  const asksHelp = first === 'help' || isGiven('help');
  const [name = '', ...words] = first === 'help' ? rest : [first, ...rest];
  const command = commandNamed(name);
  const flags = (): CliFlags => {
    const oneTooMany = words[command?.wordsMax ?? 0];
    if (oneTooMany !== undefined) throw new UsageError(`The command ${name} does not take the word ${oneTooMany}.`);
    const kinds: FlagKinds = { ...commonFlags, ...command?.flags };
    const values: [string, string | boolean][] = given.map(({ name: flag, rawName, value, inlineValue }) => {
      if (!Object.hasOwn(kinds, flag)) throw new UsageError(`The command ${name} takes no ${rawName}.`);
      if (kinds[flag]?.type === 'boolean') {
        if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
        return [flag, true];
      }
      // What looks like the next flag is one, unless it stands behind an equals sign.
      if (value === undefined || (!inlineValue && value.startsWith('-')))
        throw new UsageError(`${rawName} needs a value.`);
      return [flag, value];
    });
    return Object.fromEntries(values);
  };
  return { name, command, words, asksFor: asksHelp ? 'help' : isGiven('version') ? 'version' : 'work', flags };
}

const commonUsage = '[--data <folder>] [--wait <seconds>] [--json]';

export const usageOf = ({ usage, summary }: CliCommand): string => `registry ${usage} ${commonUsage}\n    ${summary}`;

/** For who named no command that there is. */
export const namesOfCommands = `registry <command> ${commonUsage}\n    where the command is one of ${Object.keys(allCommands).join(', ')};\n    registry help <command> tells about one, registry --help about all`;

export const usageOfAll = [
  `registry <command> ${commonUsage}`,
  ...Object.values(allCommands).map(({ usage, summary }) => `  ${usage}\n      ${summary}`),
  '',
  '--data <folder>   where the data lies, unless DATA_DIR says so',
  '--wait <seconds>  how long a server that cannot be reached yet is waited for',
  '--json            answers in JSON, for programs',
  '-h, --help        tells about the command; registry help <command> does too',
  '--version         tells which version this is',
].join('\n');
