import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './bench-report.ts';
import { inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import { benchNowMs, benchRangeMs, createChance, releaseItem } from './worlds/seeded-data.ts';
import { besideCommand, buildRegistry } from './worlds/served-registry.ts';

const releasesUnlessTold = 20_000;
const sources = 40;

function writeLines(file: string, releases: number): void {
  const chance = createChance(1);
  const shape = { bodyChars: 1_000, fromMs: benchNowMs - benchRangeMs, toMs: benchNowMs };
  const lines = Array.from({ length: releases }, (_, number) => {
    const source = { org: 'acme', slug: `source-${number % sources}` };
    return JSON.stringify({ source, ...releaseItem(chance, Math.floor(number / sources), shape) });
  });
  writeFileSync(file, `${lines.join('\n')}\n`);
}

const importSeconds = async (dataDir: string, file: string): Promise<number> => {
  const startedMs = performance.now();
  await besideCommand(dataDir, ['import', file], async (exited) => {
    if ((await exited) !== 0) throw new Error('the import failed');
  });
  return secondsSince(startedMs);
};

/** A file of releases, one JSON object a line, brought in by the command, its start and the counting of tokens included. */
export const runImporting = ({
  releases = releasesUnlessTold,
}: {
  readonly releases?: number | undefined;
}): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    const file = join(dataDir, 'releases.ndjson');
    writeLines(file, releases);
    await buildRegistry(dataDir);
    const first = await importSeconds(dataDir, file);
    const again = await importSeconds(dataDir, file);
    return [
      { metric: `${releases} releases of 1,000 characters imported`, value: first, unit: 's' },
      { metric: 'releases imported', value: releases / first, unit: '1/s', atLeast: 1_000 },
      { metric: 'the same once more, which changes nothing', value: releases / again, unit: '1/s' },
    ];
  });
