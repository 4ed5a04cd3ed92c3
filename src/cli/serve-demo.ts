import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import type { Registry } from '../compose/registry.ts';
import { openDemoMarks } from '../records/demo-mark.ts';
import { findChangelogs } from './changelog-files.ts';
import { withImportRun } from '../records/import-runs.ts';
import { type ImportOptions, type ImportResult, runImport } from './run-import.ts';

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
  const marks = await openDemoMarks(registry.ops);
  const known = await marks.state();
  if (known === 'done' || (known === null && (await hasOrg(registry)))) return null;
  const packages = installedPackages();
  if (packages === null) return null;
  await marks.set('begun');
  const files = await findChangelogs([packages]);
  const result = await withImportRun({ ops: registry.ops, clock: systemClock, ids: systemIds }, 'demo', (importId) =>
    runImport({ ...options, importId, files, actor: 'system:demo' }),
  );
  if (!signal?.aborted) await marks.set('done');
  return result;
}
