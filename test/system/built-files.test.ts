import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));

/** Loaded in up to five threads of a start: one by one, its modules take three times as long as from one file. */
const loadedByEachThread = ['koa', 'mongodb', 'undici', 'zod'];

it('has what each of its threads loads in its own files', () => {
  const built = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const imported = built.flatMap((name) =>
    [...readFileSync(join(dist, name), 'utf8').matchAll(/^(?:import|export) .*?from "([^."][^"]*)";$/gm)].map(
      ([, from]) => from,
    ),
  );
  expect(imported).toContain('better-sqlite3'); // has files of its own, and stays outside
  expect(imported.filter((from) => loadedByEachThread.includes(from!))).toEqual([]);
});
