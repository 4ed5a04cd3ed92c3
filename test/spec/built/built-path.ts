import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Lies as deep as `dist/`, so that modules find from here too what lies beside the sources. */
const folder = join(root, '.built');

/** Where the set-up of the tests puts what it makes of a module. */
export const builtPath = (source: string): string => join(folder, relative(root, source).replace(/\.ts$/, '.js'));

/** What Node can run for a module of ours. */
export const builtModule = (source: URL): string => builtPath(fileURLToPath(source));

/** The program as users start it. */
export const programPath = join(root, 'dist/src/main.js');
