import type { NamedPlaces } from '../../concurrency/named-places.ts';
import type { Fetchers } from '../../ingest/fetch-routing.ts';
import type { CommandRequest } from '../../kernel/command.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Log } from '../../ports/log.ts';
import type { Random } from '../../ports/random.ts';
import type { FetchMemories } from '../../records/fetching/fetch-memories.ts';
import type { FetchOutcomes } from '../../records/fetching/fetch-outcomes.ts';
import type { FetchTurns, TakenTurn } from '../../records/fetching/fetch-turns.ts';
import type { CommandRunner } from '../../runtime/commands/command-runner.ts';
import type { IngestServices } from '../ingest-batch.ts';

export interface FetchServices extends Pick<IngestServices, 'batches' | 'tokenCounter' | 'webBaseUrl'> {
  readonly commands: CommandRunner;
  readonly eventStore: Pick<EventStore, 'read'>;
  readonly fetchers: Fetchers;
  readonly turns: Pick<FetchTurns, 'keep' | 'holds' | 'giveBack'>;
  /** Where fetches of this process are: a host that is slow holds up its own sources only. */
  readonly hosts: NamedPlaces;
  readonly outcomes: Pick<FetchOutcomes, 'standingOf' | 'end'>;
  readonly memories: FetchMemories;
  /** Releases of a source, once those at that position can be read. */
  readonly countReleases: (sourceId: string, position: number) => Promise<number>;
  /** A first fetch announces only releases dated within the last so many days (contract 13.4). */
  readonly backfillDays: number;
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
  readonly ids: Ids;
  readonly log: Log;
}

/** Never the same twice: what a killed fetch was told may differ from what the one in its place is told. */
export const fetchRequest = <Cause extends 'fetch' | 'system'>(
  { ids }: Pick<FetchServices, 'ids'>,
  { runId }: TakenTurn,
  cause: Cause,
): CommandRequest & { readonly cause: Cause } => ({
  commandId: ids.commandId(),
  actor: 'system:fetcher',
  correlationId: runId,
  cause,
});
