import { defineConfig } from 'vitest/config';

// unit: pure code, in milliseconds. contract: each port's suite over each adapter. system: the program as a whole.
// long: what takes minutes, run by hand and before a release.
const project = (name: string, include: string[], testTimeout: number) => ({
  test: { name, include, testTimeout, hookTimeout: testTimeout, pool: 'forks' as const },
});

export default defineConfig({
  test: {
    projects: [
      project(
        'unit',
        ['test/{kernel,domain,commands,projections,catalogue,queries,ingest,config}/**/*.test.ts'],
        10_000,
      ),
      project('contract', ['test/adapters/**/*.test.ts'], 60_000),
      project('system', ['test/{runtime,system,http}/**/*.test.ts'], 120_000),
      project('long', ['test/long/**/*.test.ts'], 1_800_000),
    ],
  },
});
