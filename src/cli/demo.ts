import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Registry } from '../compose.ts';
import { findChangelogs } from './changelog-files.ts';
import { withImportRun } from './import-runs.ts';
import { type ImportOptions, type ImportResult, runImport } from './run-import.ts';

export const demoDeclaration = { name: 'demo', indexes: {} };
const collection = demoDeclaration.name;
const markId = 'first-run';

interface DemoMark {
  readonly id: string;
  readonly state: 'begun' | 'done';
}

/** The packages that are installed with this program, wherever it was started from. */
function installedPackages(): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    const packages = join(folder, 'node_modules');
    if (statSync(packages, { throwIfNoEntry: false })?.isDirectory()) return packages;
  }
  return null;
}

const hasOrg = async ({ eventStore }: Pick<Registry, 'eventStore'>): Promise<boolean> => {
  const { events } = await eventStore.readAll({ afterPosition: 0, limit: 1, types: ['OrgCreated.v1'] });
  return events.length > 0;
};

/**
 * Fills an empty registry with the changelogs that lie inside the installed packages, so that there is something to
 * look at. It happens once; a demo that was cut off goes on at the next start. Null when there was nothing to do.
 */
export async function importDemo(
  options: Omit<ImportOptions, 'importId' | 'files' | 'actor' | 'registry'> & { readonly registry: Registry },
): Promise<ImportResult | null> {
  const { registry, signal } = options;
  const marks = await registry.ops.collection<DemoMark>(demoDeclaration);
  const mark = (state: DemoMark['state']) => {
    const doc: DemoMark = { id: markId, state };
    return registry.ops.transact([{ kind: 'put', collection, doc }]);
  };

  const known = (await marks.get(markId))?.doc.state;
  if (known === 'done' || (known === undefined && (await hasOrg(registry)))) return null;
  const packages = installedPackages();
  if (packages === null) return null;
  await mark('begun');
  const files = await findChangelogs([packages]);
  const result = await withImportRun(registry.ops, 'demo', (importId) =>
    runImport({ ...options, importId, files, actor: 'system:demo' }),
  );
  if (!signal?.aborted) await mark('done');
  return result;
}
