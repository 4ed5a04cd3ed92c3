import { defineConfig } from 'vitest/config';

const project = (name: string, folders: string, testTimeout: number, options: object = { pool: 'forks' }) => ({
  test: { name, include: [`test/${folders}/**/*.test.ts`], testTimeout, hookTimeout: testTimeout, ...options },
});

// unit: pure code, in milliseconds; it keeps nothing between files, so they share one process.
// contract: each port's suite over each adapter. system: the program as a whole.
// long: what takes minutes, run by hand and before a release.
const units = '{kernel,domain,commands,projections,catalogue,queries,ingest,config}';

export default defineConfig({
  test: {
    projects: [
      project('unit', units, 10_000, { pool: 'threads', isolate: false }),
      project('contract', 'adapters', 60_000),
      project('system', '{runtime,system,http}', 120_000),
      project('long', 'long', 1_800_000),
    ],
  },
});
