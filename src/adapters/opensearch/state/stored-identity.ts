import type { StoredState } from './stored-state.ts';

interface Identity {
  readonly registryId: string;
}

const identityId = 'identity';

/** Which event store these indexes belong to. Once set it stays: those of another store must never pass for ours. */
export const createStoredIdentity = (state: StoredState) => ({
  get: async (): Promise<string | null> => (await state.read<Identity>(identityId))?.registryId ?? null,
  set: async (registryId: string): Promise<void> => {
    const stored = await state.change<Identity>(identityId, (found) => (found === null ? { registryId } : null));
    if (stored!.registryId === registryId) return;
    throw new Error(`These search indexes belong to the registry ${stored!.registryId}, not to ${registryId}`);
  },
});
