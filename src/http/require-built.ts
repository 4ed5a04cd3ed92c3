import { DomainError } from '../kernel/errors.ts';
import type { Projection } from '../kernel/projection.ts';
import type { ReadModels } from '../ports/read-models.ts';

/** What fills the read models, of whatever stores the settings name. */
const setup = ['registry serve --roles projector'];

/**
 * Throws when read models were never built and nobody in this process does it: who asks again would ask for ever. Those that
 * are being built here, or anew, are there soon.
 */
export const createRequireBuilt =
  (deps: {
    readonly readModels: Pick<ReadModels, 'pointers'>;
    readonly projections: readonly Projection[];
    readonly projectsHere: boolean;
  }) =>
  async (): Promise<void> => {
    if (deps.projectsHere) return;
    const pointers = await deps.readModels.pointers();
    const isBuilt = deps.projections.every(({ name }) => pointers[name] !== undefined);
    if (!isBuilt) throw new DomainError('database_not_initialized', { setup });
  };
