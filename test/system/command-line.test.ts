import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { orgProjection } from '../../projections/org/org.ts';
import { tokensProjection } from '../../projections/tokens/tokens.ts';
import { createEmbeddedReadModels } from '../../src/adapters/embedded/read-models/read-models.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { put } from '../../src/kernel/projection.ts';
import { serviceName, serviceVersion } from '../../src/kernel/service-version.ts';
import { type CommandOutcome, runRegistry } from '../spec/processes/registry-process.ts';
import { firstBuild } from '../../src/runtime/projector/generations.ts';
import { createTempFolder } from '../spec/temp-folder.ts';

const folder = createTempFolder();
const dataDir = join(folder.path, 'data');
afterAll(() => folder.remove());

const registry = (...words: string[]): CommandOutcome => runRegistry(words, { DATA_DIR: dataDir });

describe('the command line', () => {
  it('answers a slip with 2, one sentence and the usage of that command', () => {
    for (const [words, sentence] of [
      [['rebuild', 'nonsense'], /^Name one of: .*\.$/],
      [['events'], /^Name a stream or an id, .*\.$/],
      [['projections', '--nonsense'], /^The command projections takes no --nonsense\.$/],
      [['serve', '--port', '99999'], /^.*PORT.*99999.*$/],
      [['doctor', '--wait', 'soon'], /^.*soon.*$/],
    ] as const) {
      const { status, stdout, stderr } = registry(...words);
      const [said = '', usage = ''] = stderr.trimEnd().split('\n\n');
      expect(said).toMatch(sentence);
      expect(usage).toMatch(new RegExp(`^registry ${words[0]}\\b.*\\n {4}\\S.*$`));
      expect([status, stdout]).toEqual([2, '']);
    }
  });

  it('names the commands to who names none of them', () => {
    const { status, stderr } = registry('nonsense');
    expect(stderr).toMatch(
      /^There is no command nonsense\.\n\nregistry <command> .*\n.* serve, import, fetch, search, sources, token, /,
    );
    expect(status).toBe(2);
  });

  it('tells about all commands, about one, and its version, and touches nothing', () => {
    for (const [words, answer] of [
      [['--help'], /^registry <command> .*\n {2}serve /],
      [['help', 'events'], /^registry events <stream or id> .*\n {4}prints .*\n$/],
      [['serve', '--version'], `${serviceName} ${serviceVersion}\n`],
    ] as const) {
      const { status, stdout, stderr } = registry(...words);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(answer);
    }
    expect(existsSync(dataDir)).toBe(false);
  });

  it('says that there is no such stream', () => {
    const id = `org_${'a'.repeat(21)}`;
    for (const [word, stream] of [
      ['org-1', 'org-1'],
      [id, `org-${id}`],
    ] as const) {
      const { status, stdout, stderr } = registry('events', word);
      expect(stderr).toBe(`There is no stream ${stream}.\n`);
      expect([status, stdout]).toEqual([1, '']);
    }
  });

  it('switches to nothing that is not what the events say, says so with 1, and begins anew when it is asked again', async () => {
    const readModels = await createEmbeddedReadModels({ folder: dataDir, clock: systemClock });
    const unfinished = { name: 'tokens', indexes: tokensProjection.indexes, generation: firstBuild(tokensProjection) };
    const model = await readModels.open(unfinished, { fillingWith: [] });
    const lease = (await model.leases.acquire('feed', 'gone', 60_000))!;
    const change = { ...put({ id: 'tok_1', createdMs: 1 }), position: 1 };
    await model.write({ changes: [change], position: 1, lease });
    await model.leases.release(lease);
    await readModels.close();

    const refused = registry('rebuild', 'tokens');
    expect(refused.stderr).toMatch(
      /^Generation 1000 of tokens is not what .* nothing was switched: .*, first tok_1\.$/m,
    );
    expect([refused.status, refused.stdout]).toEqual([1, '']);
    const rebuilt = registry('rebuild', 'tokens');
    expect(rebuilt.stdout).toBe('tokens is live as generation 1000, verified 0 documents\n');
  });

  it('lists, rebuilds and prints with --json', () => {
    const generation = firstBuild(orgProjection);
    const rebuilt = registry('rebuild', 'org', '--json');
    expect(JSON.parse(rebuilt.stdout)).toEqual({ name: 'org', generation, documents: 0, verified: 0 });
    const listed = JSON.parse(registry('projections', '--json').stdout) as { items: object[] };
    expect(listed.items).toContainEqual({ name: 'org', generation, position: 1, head: 1, behind: 0 });
    const printed = JSON.parse(registry('events', 'registry', '--json').stdout) as object;
    expect(printed).toMatchObject({
      stream: 'registry',
      version: 1,
      events: [{ type: 'RegistryFounded.v1', position: 1 }],
    });
  });
});
