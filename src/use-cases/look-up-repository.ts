import { createOrg } from '../../commands/org/create-org.ts';
import { createSource } from '../../commands/source/create-source.ts';
import { type LookupAnswerInput, lookupAnswerReads } from '../../queries/lookup-answer.ts';
import { sourceByCoordinate, sourceByCoordinateReads } from '../../queries/sources/source-by-coordinate.ts';
import type { QueryDeps } from '../../queries/shape/query-deps.ts';
import { releaseCount } from '../catalogue/numbers.ts';
import { createSharedCalls } from '../concurrency/shared-calls.ts';
import { type CoordinateParts, coordinateParts, repositoryUrl } from '../domain/source/github-coordinate.ts';
import { FetchFailed } from '../ingest/fetch-failed.ts';
import type { FetchedRepository, RepositoryFetcher } from '../ingest/github/repository-fetcher.ts';
import type { CommandRequest } from '../kernel/command.ts';
import type { Projection } from '../kernel/projection.ts';
import { hyphenated } from '../kernel/slugs.ts';
import { streamOf } from '../kernel/stream-name.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Log } from '../ports/log.ts';
import type { FetchLog } from '../records/fetch-log.ts';
import type { FruitlessLookup, LookupMemory } from '../records/lookup-memory.ts';
import type { CommandRunner } from '../runtime/commands/command-runner.ts';
import { trackOrg } from './add-source.ts';
import { ingestAndLog, type IngestServices } from './ingest-batch.ts';
import { createKnownEntities } from './known-entities.ts';
import { createMadeOnce, repositoryKey } from './made-once.ts';

export interface LookUpServices extends IngestServices {
  readonly commands: CommandRunner;
  readonly eventStore: Pick<EventStore, 'read' | 'head'>;
  readonly github: RepositoryFetcher;
  readonly lookupMemory: LookupMemory;
  readonly fetchLog: FetchLog;
  readonly view: () => Promise<QueryDeps>;
  readonly viewAfter: (reads: readonly Projection[], position: number) => Promise<QueryDeps>;
  readonly log: Log;
  /** Only releases dated within the last so many days are announced (contract 13.4). */
  readonly backfillDays: number;
}

export interface LookedUp extends LookupAnswerInput {
  /** Highest position appended; when nothing was, the highest that was read. */
  readonly position: number;
}

export type LookUpRepository = (coordinate: string, request: CommandRequest) => Promise<LookedUp>;

export const lookUpReads: readonly Projection[] = [...new Set([...lookupAnswerReads, ...sourceByCoordinateReads])];

/** A source of the repository that is there. */
interface KnownSource {
  readonly id: string;
  readonly orgId: string | null;
  /** One that was made on demand gets its releases in a step of its own, which a killed process may not have come to. */
  readonly isFilled: boolean;
}

/**
 * Finds the source of a repository, or makes it: hidden, with what the third party tells of its releases. Whoever asks for
 * one that is being looked up gets that answer. A lookup that broke off is done to its end by the next one.
 */
export function createLookUpRepository(services: LookUpServices): LookUpRepository {
  const { commands, eventStore, github, lookupMemory, log } = services;
  const known = createKnownEntities(eventStore);
  const madeOnce = createMadeOnce(eventStore);
  const share = createSharedCalls<LookedUp>();

  async function isFilled(view: QueryDeps, sourceId: string): Promise<boolean> {
    const [fetched] = await view.fetchStates([sourceId]);
    return fetched!.lastFetchedAt !== null;
  }

  async function knownSource(coordinate: string): Promise<KnownSource | null> {
    const view = await services.view();
    const source = await sourceByCoordinate(view, coordinate);
    if (source === null) return null;
    const { id, orgId, discovery } = source;
    if (discovery !== 'on_demand' || (await isFilled(view, id))) return { id, orgId, isFilled: true };
    const { livingId } = await madeOnce.sourceFor(repositoryKey(coordinate));
    return { id, orgId, isFilled: livingId !== id }; // what somebody else has made is not ours to fill
  }

  /** The org that has the account, else the one that an earlier lookup made, else the one that is called so. */
  async function orgOf(owner: string): Promise<string | null> {
    const linked = await known.orgByAccount({ platform: 'github', handle: owner });
    const found = linked ?? (await madeOnce.orgFor(ownerKey(owner))).livingId;
    // Where a slug cannot spell the name, it may be that of another owner.
    const isSpelled = hyphenated(owner) === owner.toLowerCase();
    return found ?? (isSpelled ? known.orgBySlug(owner.toLowerCase()) : null);
  }

  async function makeOrg(owner: string, request: CommandRequest): Promise<string> {
    const found = await orgOf(owner);
    if (found !== null) return found;
    const { commandId } = await madeOnce.orgFor(ownerKey(owner));
    // Without a slug of its own: where the name of the owner is reserved, a number is put behind it.
    const fields = { name: owner, discovery: 'on_demand', isHidden: true };
    return (await commands.run(createOrg, fields, { ...request, commandId })).id;
  }

  async function makeSource(coordinate: string, request: CommandRequest): Promise<KnownSource> {
    const { owner, repo } = coordinateParts(coordinate);
    const orgId = await makeOrg(owner, request);
    const { commandId, livingId } = await madeOnce.sourceFor(repositoryKey(coordinate));
    if (livingId !== null && (await isFilled(await services.view(), livingId))) {
      return { id: livingId, orgId, isFilled: true };
    }
    // A name without a letter or digit makes no slug.
    const name = hyphenated(repo) === '' ? coordinate : repo;
    const made = { type: 'github', discovery: 'on_demand', isHidden: true };
    const fields = { orgId, name, url: repositoryUrl(coordinate), ...made };
    const { id } = await commands.run(createSource, fields, { ...request, commandId });
    return { id, orgId, isFilled: false };
  }

  async function fill(sourceId: string, { items }: FetchedRepository, startedMs: number, request: CommandRequest) {
    const batch = { sourceId, items, backfillDays: services.backfillDays, startedMs };
    const ingesting = { ...batch, request: { ...request, cause: 'fetch' as const } };
    return ingestAndLog(services, ingesting, (position) => services.viewAfter(lookUpReads, position));
  }

  async function lastPositionOf(stream: string): Promise<number> {
    const { events } = await eventStore.read(stream, { direction: 'backwards', limit: 1 });
    return events[0]?.position ?? 0;
  }

  /** That it is filled another process may have recorded a moment before the read models have its releases. */
  async function hasReleases(sourceId: string): Promise<boolean> {
    const { catalogue } = await services.view();
    return releaseCount([catalogue.instantsOf(sourceId)], Number.POSITIVE_INFINITY) > 0;
  }

  async function existing({ id, orgId }: KnownSource, { owner }: CoordinateParts): Promise<LookedUp> {
    const position = (await hasReleases(id)) ? await lastPositionOf(streamOf('source', id)) : await eventStore.head();
    return { status: 'existing', sourceId: id, orgId: orgId ?? (await orgOf(owner)), position };
  }

  async function withoutSource(status: FruitlessLookup | 'deferred', { owner }: CoordinateParts): Promise<LookedUp> {
    const orgId = await orgOf(owner);
    const position = orgId === null ? 0 : await lastPositionOf(streamOf('org', orgId));
    return { status, sourceId: null, orgId, position };
  }

  /** A failure that nobody foresaw is none of the third party's: it is thrown. */
  async function ask(coordinate: string): Promise<FetchedRepository | null | 'deferred'> {
    try {
      const fetched = await github.fetch(coordinate);
      if (fetched !== null && fetched.leftOut > 0) {
        log.warn('some releases of a repository could not be read', { coordinate, leftOut: fetched.leftOut });
      }
      return fetched;
    } catch (error) {
      if (!(error instanceof FetchFailed)) throw error;
      const { reason, status } = error;
      log.warn('a lookup is put off: the third party could not be read', { coordinate, reason, status });
      return 'deferred';
    }
  }

  async function lookUp(coordinate: string, request: CommandRequest): Promise<LookedUp> {
    const parts = coordinateParts(coordinate);
    const there = await knownSource(coordinate);
    if (there?.isFilled) return existing(there, parts);
    const recalled = there === null ? await lookupMemory.recall(repositoryKey(coordinate)) : null;
    if (recalled !== null) return withoutSource(recalled, parts);

    const startedMs = services.clock.nowMs();
    const fetched = await ask(coordinate);
    if (fetched === 'deferred') {
      const deferred = await withoutSource('deferred', parts);
      return { ...deferred, sourceId: there?.id ?? null };
    }
    // A repository that was renamed may be there by its other name.
    const found = there ?? (fetched === null ? null : await knownSource(fetched.coordinate));
    if (fetched === null || fetched.items.length === 0) {
      if (found !== null) return existing(found, parts);
      const status = fetched === null ? 'not_found' : 'empty';
      await lookupMemory.remember(repositoryKey(coordinate), status);
      return withoutSource(status, parts);
    }
    const source = found ?? (await makeSource(fetched.coordinate, request));
    if (source.isFilled) return existing(source, parts);
    await trackOrg(services, source.orgId, request); // again: the lookup that made it may have broken off before
    const { position } = await fill(source.id, fetched, startedMs, request);
    return { status: 'indexed', sourceId: source.id, orgId: source.orgId, position };
  }

  return (coordinate, request) => share(repositoryKey(coordinate), () => lookUp(coordinate, request));
}

const ownerKey = (owner: string): string => `github:${owner.toLowerCase()}`;
