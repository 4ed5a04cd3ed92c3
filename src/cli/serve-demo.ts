import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EventStore } from '../ports/event-store.ts';
import { openDemoMarks } from '../records/demo-mark.ts';
import { findImportFilesBelow } from './importing/import-files.ts';
import { type ChangelogImport, importChangelogs } from '../use-cases/importing/import-changelogs.ts';
import type { ImportResult } from '../use-cases/importing/import-result.ts';
import type { ImportServices } from '../use-cases/importing/import-session.ts';

/** The packages that are installed with this program, wherever it was started from. */
function installedPackages(): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    const packages = join(folder, 'node_modules');
    if (statSync(packages, { throwIfNoEntry: false })?.isDirectory()) return packages;
  }
  return null;
}

const hasOrg = async (eventStore: EventStore): Promise<boolean> => {
  const { events } = await eventStore.readAll({ afterPosition: 0, limit: 1, types: ['OrgCreated.v1'] });
  return events.length > 0;
};

/**
 * Fills an empty registry with the changelogs that lie inside the installed packages, so that there is something to
 * look at. It happens once; a demo that was cut off goes on at the next start. Null when there was nothing to do.
 */
export async function importDemo(
  services: ImportServices & { readonly eventStore: EventStore },
  options: Pick<ChangelogImport, 'backfillDays' | 'onProgress' | 'signal'>,
): Promise<ImportResult | null> {
  const marks = await openDemoMarks(services.ops);
  const known = await marks.state();
  if (known === 'done' || (known === null && (await hasOrg(services.eventStore)))) return null;
  const packages = installedPackages();
  if (packages === null) return null;
  await marks.set('begun');
  const { changelogs } = await findImportFilesBelow(packages);
  const result = await importChangelogs(services, { ...options, name: 'demo', changelogs, actor: 'system:demo' });
  if (!options.signal?.aborted) await marks.set('done');
  return result;
}
