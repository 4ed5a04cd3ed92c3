import { allProjections } from '../../projections/all-projections.ts';
import type { Stores } from '../compose/stores/stores.ts';
import { failure, type Finding, warning, well } from '../ports/finding.ts';
import type { Projection } from '../kernel/projection.ts';
import { eraserPosition } from '../runtime/jobs/eraser-progress.ts';
import { codeGenerationOf } from '../runtime/projector/generations.ts';
import { readIdentity } from '../runtime/copying/store-identity.ts';

const anew = 'Start the service once; it fills what is missing.';

const sameRegistry = 'Point all settings to the same registry, or remove these so that they are built anew.';
const migrateFirst = 'To move that registry here run `registry migrate` first; for a new one use new stores.';

/** Whether the stores belong together. Nothing is founded, so an empty event store stays empty. */
async function examineIdentity({ eventStore, readModels, ops }: Stores): Promise<Finding[]> {
  const registryId = await readIdentity(eventStore);
  if (registryId === null && (await eventStore.head()) > 0) {
    return [failure('registry', 'the event store holds events of another program', 'Point EVENT_STORE_URL elsewhere.')];
  }
  const findings: Finding[] = [];
  for (const [about, store] of Object.entries({ 'read models': readModels, 'operational data': ops })) {
    const known = await store.identity();
    if (known === null || known === registryId) continue;
    findings.push(
      registryId === null
        ? failure(about, `they belong to registry ${known}, but the event store is empty`, migrateFirst)
        : failure(about, `they belong to registry ${known}`, sameRegistry),
    );
  }
  const sentence =
    registryId === null
      ? 'the event store is empty; the first start founds a registry in it'
      : `the event store is registry ${registryId}`;
  return [well('registry', sentence), ...findings];
}

async function examineReadModel(
  { name, generation, indexes }: Projection,
  live: number | undefined,
  { eventStore, readModels }: Stores,
): Promise<Finding> {
  const about = `read model ${name}`;
  if (live === undefined) return warning(about, 'it is not filled yet', anew);
  if (codeGenerationOf(live) !== generation) {
    return warning(about, `generation ${live} was made by another version of the service`, anew);
  }
  let position: number;
  try {
    // Opening holds the stored indexes against the declared ones.
    position = await (await readModels.open({ name, generation: live, indexes })).checkpoint();
  } catch (error) {
    return failure(about, (error as Error).message, `Fill it anew: registry rebuild ${name}.`);
  }
  const head = await eventStore.head();
  if (position > head) {
    const restore = 'The event store was replaced by an older copy: restore the newer one, or remove the read models.';
    return failure(about, `it has seen position ${position}, but the event store ends at ${head}`, restore);
  }
  const where = position === head ? 'it is up to date' : `it is at position ${position} of ${head}`;
  return well(about, `${where}, with its ${Object.keys(indexes).length} indexes`);
}

async function examineReadModels(stores: Stores): Promise<Finding[]> {
  const pointers = await stores.readModels.pointers();
  const findings: Finding[] = [];
  for (const projection of allProjections) {
    findings.push(await examineReadModel(projection, pointers[projection.name], stores));
  }
  return findings;
}

async function examineErasing({ eventStore, ops }: Stores): Promise<Finding[]> {
  const position = await eraserPosition(ops);
  const { events } = await eventStore.readAll({ afterPosition: position, limit: 1, types: ['ReleaseErased.v1'] });
  return events.length === 0
    ? [well('erasing', 'every erased text is out of its stream')]
    : [warning('erasing', 'some erasures are not carried out yet', 'Let a process with the role fetcher run.')];
}

/** Whether the stores, all reachable, make one registry. */
export async function examineRegistry(stores: Stores): Promise<Finding[]> {
  const identity = await examineIdentity(stores);
  if (identity.some(({ state }) => state === 'failure') || (await stores.eventStore.head()) === 0) return identity;
  return [...identity, ...(await examineReadModels(stores)), ...(await examineErasing(stores))];
}
