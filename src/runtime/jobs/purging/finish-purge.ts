import type { OverviewRemoved } from '../../../domain/overview/events.ts';
import type { PlaybookRemoved } from '../../../domain/playbook/events.ts';
import type { PurgeCompleted } from '../../../domain/purge/events.ts';
import { toTimestamp } from '../../../kernel/dates.ts';
import type { EventMetadata, RecordedEvent } from '../../../kernel/event.ts';
import { streamOf } from '../../../kernel/stream-name.ts';
import { forgetAnswers } from '../../../records/idempotency-keys.ts';
import { removeFetchLog } from '../../../records/fetch-log.ts';
import { removeFetchTurn } from '../../../records/fetching/fetch-outcomes.ts';
import { removeEmbeddedTime } from '../../../records/embedded-times.ts';
import { removeSourceContact } from '../../../records/source-contacts.ts';
import { newEvents } from '../../commands/new-events.ts';
import { endStreams } from '../end-streams.ts';
import { freeNames } from './free-names.ts';
import type { PurgeDeps } from './purge-deps.ts';
import type { EntityPurge } from './purge-step.ts';
import { removeChangelog } from './remove-source-texts.ts';

type TextKind = 'overview' | 'playbook';

/** Leaves nothing of what was written about the owner; answers the position that read models have to pass. */
export async function removeText(
  { store }: Pick<PurgeDeps, 'store'>,
  kind: TextKind,
  ownerId: string,
  metadata: EventMetadata,
): Promise<number> {
  const stream = streamOf(kind, ownerId);
  const { version } = await store.read(stream, { direction: 'backwards', limit: 1 });
  if (version === 0) return 0;
  const data = { removedAt: metadata.recordedAt };
  const event: OverviewRemoved | PlaybookRemoved =
    kind === 'overview' ? { type: 'OverviewRemoved.v1', data } : { type: 'PlaybookRemoved.v1', data };
  return endStreams(store, [{ stream, event, metadata }]);
}

const textsOf: Readonly<Record<EntityPurge['kind'], readonly TextKind[]>> = {
  org: ['overview', 'playbook'],
  product: ['overview'],
  source: [],
};

const purgedType = /^(Org|Product|Source)Purged\.v1$/;

/** The event that the entity ends with. */
async function purgedEvent({ store }: PurgeDeps, stream: string) {
  const { events } = await store.read(stream);
  const purged = events.find(({ type }) => purgedType.test(type));
  if (purged === undefined) throw new Error(`${stream} is not purged`);
  return { events, purged };
}

/**
 * All that is left once nothing is below the entity: its names, its texts, its records, its stream. Doing it again is
 * harmless. Answers the position that the read models have to pass before they can be scrubbed.
 */
export async function finishPurge(deps: PurgeDeps, { id, kind }: EntityPurge): Promise<number> {
  const { store, ops, snapshots } = deps;
  const stream = streamOf(kind, id);
  const { events, purged } = await purgedEvent(deps, stream);
  await freeNames(store, stream, events, purged.metadata);
  let highest = purged.position;
  for (const text of textsOf[kind]) highest = Math.max(highest, await removeText(deps, text, id, purged.metadata));
  if (kind === 'source') {
    highest = Math.max(highest, await removeChangelog(store, id, purged.metadata));
    await removeFetchTurn(ops, id);
    await removeFetchLog(ops, id);
    await removeSourceContact(ops, id);
  }
  await forgetAnswers(ops, [id]);
  await store.truncate(stream, purged.version);
  await snapshots.forget([stream, streamOf('changelog', id), ...textsOf[kind].map((text) => streamOf(text, id))]);
  return highest;
}

/** The last thing: from here on the purge is not looked at any more. */
export async function completePurge({ store, ops, clock }: PurgeDeps, { id, kind }: EntityPurge): Promise<void> {
  // Whoever embeds texts of the source notes a time until the search index has passed the purge.
  if (kind === 'source') await removeEmbeddedTime(ops, id);
  const stream = streamOf(kind, id);
  for (;;) {
    const { version, events } = await store.read(stream);
    const purged = events.find(({ type }) => purgedType.test(type));
    if (purged === undefined) throw new Error(`${stream} is not purged`);
    if (events.some(({ type }) => type === 'PurgeCompleted.v1')) return;
    if ((await appendCompleted(purged, version)) === 'appended') return;
  }

  async function appendCompleted({ metadata }: RecordedEvent, expectedVersion: number) {
    const now = [toTimestamp(clock.nowMs()), metadata.recordedAt].sort().at(-1)!;
    const completed: PurgeCompleted = { type: 'PurgeCompleted.v1', data: { completedAt: now } };
    const target = { stream, expectedVersion };
    return (await store.append({ ...target, events: newEvents([completed], target, metadata, now) })).outcome;
  }
}
