import { openRegistry, type Registry, type RegistryOptions } from '../../../src/compose/registry.ts';
import { failBench, inBenchFolder } from './bench-folder.ts';
import { benchWebBaseUrl } from './seeded-data.ts';
import { createSources } from './seeded-registry.ts';

export interface OpenedWith extends Pick<RegistryOptions, 'roles'> {
  readonly eventStoreUrl?: string | undefined;
  readonly mongodbUrl?: string | undefined;
}

/** A registry in this process, with six sources of as many orgs. */
export const withRegistry = <Result>(
  { eventStoreUrl, mongodbUrl, ...over }: OpenedWith,
  work: (registry: Registry, sourceIds: readonly string[]) => Promise<Result>,
): Promise<Result> =>
  inBenchFolder(async (dataDir) => {
    const backends = { dataDir, eventStoreUrl, mongodbUrl };
    const options = { backends, logLevel: 'error', webBaseUrl: benchWebBaseUrl, onFatal: failBench, ...over };
    const registry = await openRegistry(options);
    try {
      return await work(registry, await createSources(registry.commands, { orgs: 6, sourcesPerOrg: 1 }));
    } finally {
      await registry.close();
    }
  });
