import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type FileLine,
  importReleaseLines,
  type LinesFile,
} from '../../src/use-cases/importing/import-release-lines.ts';
import type { ImportServices } from '../../src/use-cases/importing/import-session.ts';
import { openImportWorld } from '../spec/worlds/import-world.ts';

const linesInAll = 12_000;
let world: Awaited<ReturnType<typeof openImportWorld>>;
beforeEach(async () => {
  world = await openImportWorld();
});
afterEach(() => world.close());

/** Every line is a release of one of three sources, and one byte long as far as places go. */
function fileOf(onFrom: (line: number) => void): LinesFile {
  async function* lines({ line: from }: { readonly line: number }): AsyncGenerator<FileLine> {
    onFrom(from);
    for (let number = from + 1; number <= linesInAll; number += 1) {
      const source = { org: 'acme', slug: `kit-${number % 3}` };
      yield { number, text: JSON.stringify({ source, title: `Kit ${number}` }), endByte: number };
    }
  }
  return { path: 'kit.ndjson', bytes: linesInAll, stamp: 'once', lines };
}

const failing = (atCall: number): ImportServices => {
  let calls = 0;
  const run: ImportServices['batches']['run'] = (...given) => {
    calls += 1;
    if (calls === atCall) throw new Error('the power is gone');
    return world.services.batches.run(...given);
  };
  return { ...world.services, batches: { ...world.services.batches, run } };
};

it('an import that broke off goes on after what it had stored, and leaves nothing out', async () => {
  const began: number[] = [];
  const wanted = {
    name: 'kit',
    files: [fileOf((line) => began.push(line))],
    backfillDays: 7,
    actor: 'system:import',
    onProgress: () => undefined,
  };
  // Batches of 500, and a place after ten of them and what waits: before the first place, behind it, and behind the second.
  for (const atCall of [3, 14, 12]) {
    await expect(importReleaseLines(failing(atCall), wanted)).rejects.toThrow('the power is gone');
  }
  const { releases, skippedInAll } = await importReleaseLines(world.services, wanted);
  expect(began.at(-1)).toBeGreaterThan(0);
  expect(releases.inserted + releases.unchanged).toBe(linesInAll - began.at(-1)!);
  expect(skippedInAll).toBe(0);
  let stored = 0;
  for (let afterPosition = 0; ; ) {
    const { events, position } = await world.store.readAll({
      afterPosition,
      limit: 1_000,
      types: ['ReleaseIndexed.v1'],
    });
    stored += events.length;
    if (position === afterPosition) break;
    afterPosition = position;
  }
  expect(stored).toBe(linesInAll);
});
