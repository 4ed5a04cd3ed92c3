import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const staticImport = /^(?:import|export)(?! type\b)\s*(?:[\w*{][^;']*?from\s*)?'([^']+)';$/gm;

/** All modules of our own, and all packages, that are loaded with this one: not its types, nor what it imports later. */
function loadedWith(entry: string): Set<string> {
  const found = new Set<string>();
  const waiting = [join(root, entry)];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const own = relative(root, file);
    if (found.has(own)) continue;
    found.add(own);
    for (const [, name] of readFileSync(file, 'utf8').matchAll(staticImport)) {
      if (name!.startsWith('.')) waiting.push(join(dirname(file), name!));
      else found.add(name!);
    }
  }
  return found;
}

it('no thread that sends requests loads the whole driver for the two parts of it that are used', () => {
  for (const thread of ['delivery', 'fetching', 'reading', 'search']) {
    const loaded = loadedWith(`src/compose/threads/${thread}-worker.ts`);
    expect(loaded, thread).toContain('undici/lib/dispatcher/client.js');
    expect(loaded, thread).not.toContain('undici');
  }
});

it('the thread of the fetcher loads the tables of the tokenizer with the first text, not with itself', () => {
  const tables = 'src/adapters/tokenizer/vocabulary.ts';
  expect(loadedWith('src/adapters/tokenizer/token-counter-thread.ts')).toContain(tables);
  expect(loadedWith('src/compose/threads/fetching-worker.ts')).not.toContain(tables);
});
