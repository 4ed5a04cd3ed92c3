import { describe, expect, it } from 'vitest';
import { allCommands } from '../../src/cli/all-commands.ts';
import { UsageError } from '../../src/cli/cli-command.ts';
import { readCommandLine, usageOf, usageOfAll } from '../../src/cli/command-line.ts';

const read = (line: string) => readCommandLine(line.split(' ').filter((word) => word !== ''));
const names = Object.keys(allCommands);

describe('a command line', () => {
  it.each([
    ['events registry --json --data x', 'events', ['registry'], { json: true, data: 'x' }],
    ['--data x --port 1 serve --no-demo', 'serve', [], { data: 'x', port: '1', 'no-demo': true }],
    ['import --org=-odd- a b', 'import', ['a', 'b'], { org: '-odd-' }],
    ['import -- --a', 'import', ['--a'], {}],
  ])('%s', (line, name, words, flags) => {
    const { command, asksFor, ...rest } = read(line);
    expect(command).toBe(allCommands[name]);
    expect(asksFor).toBe('work');
    expect([rest.name, rest.words, rest.flags()]).toEqual([name, words, flags]);
  });

  it.each([
    ['projections --nonsense', 'The command projections takes no --nonsense.'],
    ['projections --nonsense=1', 'The command projections takes no --nonsense.'],
    ['projections -x', 'The command projections takes no -x.'],
    ['projections --port 1', 'The command projections takes no --port.'],
    ['projections --constructor', 'The command projections takes no --constructor.'],
    ['serve extra words', 'The command serve does not take the word extra.'],
    ['events org-1 org-2', 'The command events does not take the word org-2.'],
    ['serve --port', '--port needs a value.'],
    ['serve --port --no-demo', '--port needs a value.'],
    ['serve --no-demo=yes', '--no-demo takes no value.'],
  ])('refuses a slip: %s', (line, sentence) => {
    expect(() => read(line).flags()).toThrow(new UsageError(sentence));
  });

  it.each(names)('asks for help about %s in every usual way, or for the version', (name) => {
    for (const line of [`${name} --help`, `help ${name}`, `-h ${name}`, `${name} --nonsense -h`]) {
      expect(read(line)).toMatchObject({ asksFor: 'help', name });
    }
    expect(read(`${name} --version`)).toMatchObject({ asksFor: 'version' });
  });

  it('asks for help about all of them', () => {
    for (const line of ['--help', '-h', 'help']) expect(read(line)).toMatchObject({ asksFor: 'help', name: '' });
  });

  it.each(['nonsense', 'help nonsense', 'toString', ''])('knows no command in "%s"', (line) => {
    expect(read(line).command).toBeUndefined();
  });
});

describe('usage', () => {
  it.each(Object.entries(allCommands))('of %s names its flags, and stands in the list of all', (name, command) => {
    const usage = usageOf(command);
    expect(usage).toMatch(new RegExp(`^registry ${name}\\b`));
    for (const flag of [...Object.keys(command.flags ?? {}), 'data', 'wait', 'json']) {
      expect(usage).toContain(`--${flag}`);
    }
    expect(usageOfAll).toContain(`\n  ${command.usage}\n      ${command.summary}\n`);
  });
});
