import { dirname, relative, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { builtPath, root } from './built-path.ts';

const isProduct = (path: string): boolean => /^(src|commands|projections|queries)\/.*\.ts$/.test(relative(root, path));

/** Lets the tests load the product as its threads and processes do: see build-modules.ts. */
export const builtSources: Plugin = {
  name: 'built-sources',
  enforce: 'pre',
  resolveId: (name, importer) => {
    if (!name.startsWith('.') || importer === undefined) return null;
    const path = resolve(dirname(importer), name);
    return isProduct(path) ? builtPath(path) : null;
  },
};
