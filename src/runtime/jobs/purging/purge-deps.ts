import type { CommandRequest } from '../../../kernel/command.ts';
import type { Projection } from '../../../kernel/projection.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { EventStore } from '../../../ports/event-store.ts';
import type { OperationalStore } from '../../../ports/operational-store.ts';
import type { ReadModelSet } from '../../../ports/read-models.ts';
import type { Snapshots } from '../../../records/snapshots.ts';
import type { BatchRunner } from '../../commands/batch-runner.ts';
import type { CommandRunner } from '../../commands/command-runner.ts';
import type { InTurn } from './turns-beside-readers.ts';

/** What the steps of a purge work with. */
export interface PurgeDeps {
  readonly store: EventStore;
  readonly ops: OperationalStore;
  readonly snapshots: Pick<Snapshots, 'forget'>;
  readonly clock: Clock;
  readonly commands: CommandRunner;
  readonly batches: Pick<BatchRunner, 'run'>;
  /** Awaited between pieces of work: whoever waits for an answer meanwhile has a turn. */
  readonly mayGoOn: () => Promise<void>;
  /** Runs what takes releases away: at once, or in its turn while somebody reads. */
  readonly inTurn: InTurn;
  /** Of one new command of the purger. */
  readonly request: () => CommandRequest;
  /** Null while they are being filled, or are of other folds. */
  readonly models: () => Promise<ReadModelSet | null>;
  /** Waits for a while; throws when these read models have not passed the position by then. */
  readonly passed: (reads: readonly Projection[], position: number) => Promise<void>;
  /** Erases a release that is linked to others, once these links are ended. */
  readonly eraseLinked: (releaseId: string) => Promise<{ readonly position: number }>;
  /** Removes what is left of texts of entities in the read models, once these have passed the position. */
  readonly scrub: (position: number) => Promise<void>;
  /** Resolves when the texts of releases erased up to this position are out of the event store; throws when that takes long. */
  readonly truncated: (position: number) => Promise<void>;
  /** Whether they are out of every store. */
  readonly isErased: (position: number) => Promise<boolean>;
  /** What keeps the eraser from that; null while nothing does. */
  readonly eraserFailure: () => Promise<string | null>;
}
