import { defineConfig } from 'vitest/config';

const project = (name: string, folders: string, testTimeout: number, options: object = { pool: 'forks' }) => ({
  test: { name, include: [`test/${folders}/**/*.test.ts`], testTimeout, hookTimeout: testTimeout, ...options },
});

// unit: pure code, in milliseconds; it keeps nothing between files, so they share one process.
// contract: each port's suite over each adapter. system: the program as a whole. `npm run test:long` runs some of the
// system tests for much longer, by hand and before a release.
const units = '{kernel,domain,commands,projections,catalogue,queries,ingest,config}';

export default defineConfig({
  test: {
    projects: [
      project('unit', units, 10_000, { pool: 'threads', isolate: false }),
      project('contract', 'adapters', 60_000),
      project('system', '{runtime,system,http}', 120_000),
    ],
  },
});
