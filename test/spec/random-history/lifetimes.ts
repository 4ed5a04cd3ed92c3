import type { Seeded } from '../seeded.ts';

export interface Entity {
  readonly id: string;
  /** The org that it belongs to; null for an org itself and for a standalone source. */
  readonly orgId: string | null;
}

/** The commands of one kind of entity, each on its id; false when it was refused. */
export interface LifetimeCommands {
  readonly hide: (id: string) => Promise<boolean>;
  readonly unhide: (id: string) => Promise<boolean>;
  readonly remove: (id: string) => Promise<boolean>;
  readonly restore: (id: string) => Promise<boolean>;
  readonly purge: (id: string) => Promise<boolean>;
}

/** The entities of one kind that were made so far, hidden and deleted ones too, and what becomes of them. */
export const createLifetimes = (random: Seeded, commands: LifetimeCommands) => {
  const all: Entity[] = [];
  const hidden = new Set<string>();
  const deleted = new Set<string>();

  // Most often one that it does something to, sometimes any: a command may be sent twice or for nothing.
  const pickId = (ids: ReadonlySet<string>): string | undefined => {
    const likely = random.chance(85) ? [...ids] : all.map(({ id }) => id);
    return likely.length === 0 ? undefined : random.pick(likely);
  };
  const idsBut = (ids: ReadonlySet<string>): Set<string> =>
    new Set(all.map(({ id }) => id).filter((id) => !ids.has(id)));
  const step = (pickFrom: () => ReadonlySet<string>, command: (id: string) => Promise<boolean>) => {
    return async (): Promise<void> => {
      const id = pickId(pickFrom());
      if (id !== undefined) await command(id);
    };
  };

  return {
    all,
    any: (): Entity | undefined => (all.length === 0 ? undefined : random.pick(all)),
    ofOrg: (orgId: string | null): Entity[] => all.filter((entity) => entity.orgId === orgId),
    hide: step(
      () => idsBut(hidden),
      async (id) => (await commands.hide(id)) && hidden.add(id).has(id),
    ),
    unhide: step(
      () => hidden,
      async (id) => (await commands.unhide(id)) && hidden.delete(id),
    ),
    remove: step(
      () => idsBut(deleted),
      async (id) => (await commands.remove(id)) && deleted.add(id).has(id),
    ),
    restore: step(
      () => deleted,
      async (id) => (await commands.restore(id)) && deleted.delete(id),
    ),
    purge: step(
      () => idsBut(deleted),
      async (id) => (await commands.purge(id)) && deleted.add(id).has(id),
    ),
  };
};
