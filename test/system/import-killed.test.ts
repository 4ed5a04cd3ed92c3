import { once } from 'node:events';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { eventually } from '../spec/eventually.ts';
import { beginRegistry, runRegistry, serveRegistry, stopRegistry } from '../spec/processes/registry-process.ts';
import { createTempFolder } from '../spec/temp-folder.ts';

const folder = createTempFolder();
const projects = join(folder.path, 'projects');
const dataDir = join(folder.path, 'data');
const names = Array.from({ length: 60 }, (_, index) => `project-${index}`);

afterAll(() => folder.remove());

const logBytes = (): number => statSync(join(dataDir, 'events.sqlite-wal'), { throwIfNoEntry: false })?.size ?? 0;

it('an import that is killed again and again goes on and gives nobody a second name', async () => {
  for (const name of names) {
    mkdirSync(join(projects, name), { recursive: true });
    const text = '## 1.1.0\n- second\n## 1.0.0\n- first\n';
    writeFileSync(join(projects, name, 'CHANGELOG.md'), text);
    const manifest = { name, repository: `github:owner-of-${name}/${name}` };
    writeFileSync(join(projects, name, 'package.json'), JSON.stringify(manifest));
  }
  const words = ['import', projects, '--data', dataDir];
  for (let kill = 0; kill < 5; kill += 1) {
    const killed = beginRegistry(words);
    const ended = once(killed, 'exit');
    const before = logBytes();
    // Somewhere in the middle of an org: the log grows by some ten pages with each.
    await eventually(
      'it has written some more',
      () => logBytes() > before + 100_000 + kill * 9_000 || killed.exitCode !== null,
      {
        everyMs: 1,
      },
    );
    killed.kill('SIGKILL');
    await ended;
  }
  expect(runRegistry(words).status).toBe(0);
  const served = await serveRegistry(dataDir, ['--no-demo']);
  const { url } = served;
  await eventually('it is ready', async () => (await fetch(`${url}/health/ready`)).status === 200);
  const { items } = (await (await fetch(`${url}/v1/orgs?limit=100`)).json()) as { items: { slug: string }[] };
  expect(items.map(({ slug }) => slug).sort()).toEqual(names.map((name) => `owner-of-${name}`).sort());
  await stopRegistry(served);
});
