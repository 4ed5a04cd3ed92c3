import { afterEach, beforeEach, expect, it } from 'vitest';
import { importChangelogs } from '../../src/use-cases/importing/import-changelogs.ts';
import { openImportWorld } from '../spec/worlds/import-world.ts';

let world: Awaited<ReturnType<typeof openImportWorld>>;
beforeEach(async () => {
  world = await openImportWorld();
});
afterEach(() => world.close());

it('brings in what can be made of odd headings, and with them all the others', async () => {
  const odd = ['## 1.2.0 rings a \u0007 bell', `## 1.1.0 ${'is long '.repeat(100)}`];
  const plain = Array.from({ length: 20 }, (_, minor) => `## 0.${minor}.0`);
  const text = [...odd, ...plain].map((heading) => `${heading}\n\n- Something\n\n`).join('');
  const changelog = { path: 'kit/CHANGELOG.md', folderName: 'kit', rootName: 'acme', text, manifest: null };
  const { releases, skipped } = await importChangelogs(world.services, {
    name: 'kit',
    changelogs: [() => changelog],
    backfillDays: 7,
    actor: 'system:import',
    onProgress: () => undefined,
  });
  expect(skipped).toEqual([]);
  expect(releases.inserted).toBe(odd.length + plain.length);
});
