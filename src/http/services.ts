import type { KeptNeighbours } from '../../queries/related/kept-neighbours.ts';
import type { KeptLatest } from '../../queries/releases/kept-latest.ts';
import type { PastDeps } from '../../queries/past/past-deps.ts';
import type { StatsQueryDeps } from '../../queries/stats.ts';
import type { WebhookQueryDeps } from '../../queries/shape/webhook-record.ts';
import type { TokenQueryDeps } from '../../queries/tokens-list.ts';
import type { SharedCounts } from '../concurrency/shared-memory/shared-counts.ts';
import type { TargetGuard } from '../delivery/target-guard.ts';
import { DomainError, isDomainError } from '../kernel/errors.ts';
import type { Projection } from '../kernel/projection.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reference } from './reference/reference.ts';
import type { SearchOutcome } from '../../queries/search/search-outcomes.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import type { BatchRunner } from '../runtime/commands/batch-runner.ts';
import type { CommandRunner } from '../runtime/commands/command-runner.ts';
import type { DeliveryLog } from '../records/delivery/delivery-log.ts';
import type { SigningKeys } from '../records/secrets/signing-keys.ts';
import type { NewSecrets } from '../records/secrets/new-secrets.ts';
import type { SearchReading } from '../search/search-reading.ts';
import type { FetchLog } from '../records/fetch-log.ts';
import type { FetchTurns } from '../records/fetching/fetch-turns.ts';
import type { SourceContacts } from '../records/source-contacts.ts';
import type { LookUpRepository } from '../use-cases/look-up-repository.ts';
import type { WebhookHealths } from '../records/delivery/webhook-health.ts';

/** Read models and catalogue as of one moment: what only reads takes them once (`withOneView`). */
export type ReadView = PastDeps & StatsQueryDeps & TokenQueryDeps & WebhookQueryDeps;

/** What handlers work with. */
export interface Services {
  readonly commands: CommandRunner;
  readonly batches: BatchRunner;
  readonly tokenCounter: TokenCounter;
  readonly contacts: Pick<SourceContacts, 'recordIngest' | 'recordFetch'>;
  readonly fetchLog: FetchLog;
  readonly fetchTurns: Pick<FetchTurns, 'ask' | 'hasten'>;
  /** A source is due that was not a moment ago. */
  readonly wakeFetching: () => void;
  readonly lookUpRepository: LookUpRepository;
  /** Which addresses webhooks may be sent to. */
  readonly targets: TargetGuard;
  readonly signingKeys: SigningKeys;
  readonly newSecrets: NewSecrets;
  readonly webhookHealths: WebhookHealths;
  readonly deliveryLog: DeliveryLog;
  /** Everything that is projected now. */
  readonly view: () => Promise<ReadView>;
  /** The same, once these read models have passed a position that this request wrote; else `projection_behind`. */
  readonly viewAfter: (reads: readonly Projection[], position: number) => Promise<ReadView>;
  /** The newest releases, as everybody asks for them. */
  readonly keptLatest: KeptLatest;
  readonly search: SearchReading;
  /** How searches were answered, for whoever measures it. */
  readonly searched: Pick<SharedCounts<SearchOutcome>, 'add' | 'read'>;
  /** What is near to what, as it was asked for lately. */
  readonly keptNeighbours: KeptNeighbours;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Public address of the web pages, without a slash at its end. */
  readonly webBaseUrl: string;
  /** What this registry calls itself in manifests. */
  readonly registryName: string;
  /** Waits until the text of releases erased up to this position is gone from the event store. */
  readonly erased: (position: number) => Promise<void>;
  /** What must work for requests to be served, by name; a check that fails throws. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  readonly openApi: () => unknown;
  readonly reference: Reference;
}

/** For one request: its answer and every form of it are of the same read models, however often they are asked for. */
export const withOneView = (services: Services): Services => {
  let taken: Promise<ReadView> | null = null;
  return { ...services, view: () => (taken ??= services.view()) };
};

/** For one write: what it waited to be shown is stored, whatever becomes of its answer. */
export const withNotedWrite = (
  services: Services,
): { readonly services: Services; readonly problemOf: (error: unknown) => unknown } => {
  let written = 0;
  return {
    services: {
      ...services,
      viewAfter: async (reads, position) => {
        const view = await services.viewAfter(reads, position);
        written = Math.max(written, position);
        return view;
      },
    },
    /** Whoever deleted it meanwhile, its sender must not take it for refused: not found is said of what was never written. */
    problemOf: (error: unknown): unknown =>
      written > 0 && isDomainError(error, 'not_found')
        ? new DomainError('projection_behind', { requested: written, position: written })
        : error,
  };
};
