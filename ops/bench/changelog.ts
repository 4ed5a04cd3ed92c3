import type { Figure } from './bench-report.ts';
import { percentile } from './worlds/percentile.ts';
import { inBenchFolder } from './worlds/bench-folder.ts';
import { openConnection } from './worlds/http-connection.ts';
import { buildRegistry, post, put, type ServedRegistry, withServed } from './worlds/served-registry.ts';

const asks = 200;

const section = (number: number): string =>
  `## 1.${number}.0\n${'- Fixed what was broken, thanks to all.\n'.repeat(5)}`;
const fileOf = (bytes: number): string =>
  Array.from({ length: Math.ceil(bytes / section(0).length) }, (_, number) => section(number))
    .join('')
    .slice(0, bytes);

interface MeasuredFile {
  readonly what: string;
  readonly content: string;
  readonly sliceMsMax?: number;
}

const files: Readonly<Record<string, MeasuredFile>> = {
  'CHANGELOG.md': { what: '1 MB', content: fileOf(1_000_000), sliceMsMax: 10 },
  'long.md': { what: '5 MiB', content: fileOf(5 * 1024 * 1024) },
  'headings.md': { what: '5 MiB of nothing but headings', content: '# \n'.repeat(1_747_626) },
};

async function timesOf({ port }: ServedRegistry, path: string): Promise<number[]> {
  const connection = await openConnection(port);
  const timesMs: number[] = [];
  for (let asked = 0; asked < asks; asked += 1) {
    const askedMs = performance.now();
    await connection.get(path);
    timesMs.push(performance.now() - askedMs);
  }
  connection.close();
  return timesMs.sort((a, b) => a - b);
}

async function figuresOf(served: ServedRegistry): Promise<Figure[]> {
  const source = await post(served, '/v1/sources', { name: 'Rocket', url: 'https://github.com/acme/rocket' });
  const path = `/v1/sources/${String(source['id'])}/changelog`;
  const figures: Figure[] = [];
  for (const [name, { what, content, sliceMsMax }] of Object.entries(files)) {
    const askedMs = performance.now();
    await put(served, path, { path: name, content });
    figures.push({ metric: `storing a file of ${what}`, value: performance.now() - askedMs, unit: 'ms' });
    const offset = Math.floor(content.length / 2);
    for (const range of ['limit=40000', 'tokens=5000', 'tokens=20000']) {
      const timesMs = await timesOf(served, `${path}?path=${name}&offset=${offset}&${range}`);
      const metric = `slice in the middle of ${what}, ${range}`;
      const bound = sliceMsMax === undefined ? {} : { atMost: sliceMsMax };
      figures.push(
        { metric: `${metric}, p50`, value: percentile(timesMs, 0.5), unit: 'ms', ...bound },
        { metric: `${metric}, p95`, value: percentile(timesMs, 0.95), unit: 'ms' },
      );
    }
  }
  return figures;
}

/** Changelog files stored and read in slices, over HTTP. */
export async function runChangelog(): Promise<Figure[]> {
  await inBenchFolder(buildRegistry);
  return inBenchFolder((dataDir) => withServed(dataDir, figuresOf));
}
