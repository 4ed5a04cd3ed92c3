import { type OrgState, org, orgNames } from '../../../src/domain/org/state.ts';
import { foldEvents } from '../../../src/kernel/model.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';

export interface StoredOrg extends OrgState {
  readonly stream: string;
}

/** Every org that the events tell of, folded without any help from the product's own readers. */
export async function orgsInStore(store: EventStore): Promise<StoredOrg[]> {
  const streams = new Set<string>();
  let afterPosition = 0;
  for (;;) {
    const batch = await store.readAll({ afterPosition, limit: 1_000 });
    for (const event of batch.events) if (event.stream.category === 'org') streams.add(event.stream.name);
    if (batch.position === afterPosition) break;
    afterPosition = batch.position;
  }
  const slices = await store.readMany([...streams]);
  return slices
    .map(({ stream, events }) => ({ stream, ...foldEvents(org, events) }))
    .filter(({ lifecycle }) => lifecycle !== 'absent');
}

/** The living orgs that hold this name now: never more than one. */
export const holdersOf = async (store: EventStore, name: string): Promise<StoredOrg[]> =>
  (await orgsInStore(store)).filter((state) => orgNames(state).includes(name));
