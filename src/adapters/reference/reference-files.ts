import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { LoadPackedFiles, PackedFile } from '../../ports/packed-files.ts';

/** `assets/reference/`, seen from the sources and from what is built of them. */
const folder = new URL(
  import.meta.url.endsWith('.ts') ? '../../../assets/reference/' : '../../../../assets/reference/',
  import.meta.url,
);
const ownFile = (name: string): string => fileURLToPath(new URL(name, folder));
const require = createRequire(import.meta.url);

const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';

const files = [
  { name: 'swagger-ui-bundle.js', type: script, path: () => require.resolve('swagger-ui-dist/swagger-ui-bundle.js') },
  { name: 'swagger-ui.css', type: style, path: () => require.resolve('swagger-ui-dist/swagger-ui.css') },
  { name: 'start.js', type: script, path: () => ownFile('start.js') },
  { name: 'start.css', type: style, path: () => ownFile('start.css') },
];

const compress = promisify(gzip); // in a thread of Node's own, not of ours

async function packed({ name, type, path }: (typeof files)[number]): Promise<PackedFile> {
  const bytes = await readFile(path());
  return { name, type, bytes, gzipped: await compress(bytes, { level: 9 }) };
}

/** The renderer of the reference from its package, and what starts it. */
export const loadReferenceFiles: LoadPackedFiles = () => Promise.all(files.map(packed));
