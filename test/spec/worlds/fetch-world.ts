import { createOrg } from '../../../commands/org/create-org.ts';
import { createSource } from '../../../commands/source/create-source.ts';
import { systemIds } from '../../../src/adapters/system/ids.ts';
import { readInstants } from '../../../src/catalogue/instants/stored-instants.ts';
import { releaseCount } from '../../../src/catalogue/numbers.ts';
import { createNamedPlaces } from '../../../src/concurrency/named-places.ts';
import type { Fetchers } from '../../../src/ingest/fetch-routing.ts';
import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import { createFetchLog } from '../../../src/records/fetch-log.ts';
import { openFetchMemories } from '../../../src/records/fetching/fetch-memories.ts';
import { openFetchOutcomes } from '../../../src/records/fetching/fetch-outcomes.ts';
import { openFetchTurns, type TakenTurn } from '../../../src/records/fetching/fetch-turns.ts';
import { settleSchedules } from '../../../src/runtime/fetching/schedule-follower.ts';
import { createFetchRounds } from '../../../src/runtime/fetching/fetch-rounds.ts';
import type { FetchServices } from '../../../src/use-cases/fetching/fetch-services.ts';
import { fetchSource } from '../../../src/use-cases/fetching/fetch-source.ts';
import { createFakeClock } from '../fake-clock.ts';
import { openInThreadEventStore } from '../in-thread-event-store.ts';
import { createKeptLog } from '../kept-log.ts';
import { createSeeded } from '../seeded.ts';
import type { TempFolder } from '../temp-folder.ts';
import { createTestRunners, requestOf } from './embedded-registry.ts';
import { openFetchRecords } from './fetch-records.ts';
import { copyOfFolder, followRegistry } from './followed-registry.ts';
import { webBaseUrl } from './small-world.ts';

interface ProcessParts {
  readonly ops?: OperationalStore;
  readonly fetchers?: Fetchers;
  readonly perHostMax?: number;
}

/** A registry whose sources are fetched, with a clock that stands still; its read models are fed when somebody counts. It begins as a copy of an empty folder. */
export async function openFetchWorld(fetchers: Fetchers, empty: TempFolder) {
  const folder = copyOfFolder(empty);
  const clock = createFakeClock();
  const store = openInThreadEventStore(folder.path);
  const ops = await openFetchRecords(folder.path, clock);
  const followed = await followRegistry(folder.path, store, clock);
  const runners = createTestRunners(store, clock);
  const chance = createSeeded(1);
  const log = createKeptLog();
  const { models } = followed.live;
  const fractions: number[] = [];
  let requests = 0;
  const nextRequest = () => requestOf((requests += 1));

  /** Parts of one process over the stores: another call is another process. */
  const openProcess = async (over: ProcessParts = {}) => {
    const own = over.ops ?? ops;
    const hosts = createNamedPlaces(over.perHostMax ?? 0);
    const turns = await openFetchTurns({ ops: own, clock, ids: systemIds });
    const services: FetchServices = {
      ...runners,
      eventStore: store,
      tokenCounter: { countMany: async (texts) => texts.map(() => 1) },
      webBaseUrl,
      fetchers: over.fetchers ?? fetchers,
      turns,
      hosts,
      outcomes: await openFetchOutcomes(own),
      memories: await openFetchMemories(own),
      backfillDays: 7,
      clock,
      random: {
        fraction: () => {
          fractions.push(chance.int(0, 999) / 1_000);
          return fractions.at(-1)!;
        },
      },
      ids: systemIds,
      log,
      countReleases: async (sourceId) => {
        await followed.follow(chance);
        return releaseCount([await readInstants(models, sourceId)], clock.nowMs());
      },
    };
    const fetch = (taken: TakenTurn, heldHost?: string) =>
      fetchSource(services, taken, heldHost === undefined ? {} : { heldHost });
    const roundsOf = ({ atOnceMax = 8, isScheduleOn = true } = {}) =>
      createFetchRounds({ turns, fetch, hosts, atOnceMax, isScheduleOn, clock, log });
    return { services, turns, fetch, roundsOf };
  };

  const process = await openProcess();
  const outcomes = await openFetchOutcomes(ops);
  const fetchLog = await createFetchLog(ops);
  const settle = (sourceId: string) => settleSchedules({ store, outcomes, clock }, [sourceId]);

  return {
    ...process,
    openProcess,
    store,
    ops,
    clock,
    log,
    models,
    commands: runners.commands,
    outcomes,
    fetchLog,
    /** Every one that chance gave, in order. */
    fractions,
    nextRequest,
    follow: () => followed.follow(chance),
    settle,
    addOrg: async (name: string) => (await runners.commands.run(createOrg, { name }, nextRequest())).id,
    /** Due at once where it is one to be fetched. */
    addSource: async (fields: object = {}) => {
      const request = nextRequest();
      const given = { name: `Source ${request.commandId.slice(-6)}`, url: 'https://example.com/log', type: 'feed' };
      const { id } = await runners.commands.run(createSource, { ...given, ...fields }, request);
      await settle(id);
      return id;
    },
    stateOf: async (sourceId: string) => (await outcomes.standingOf(sourceId)).state,
    entriesOf: (sourceId: string) => fetchLog.page({ sourceId, limit: 500 }),
    /** Fetches all that is due now, to its end. */
    fetchDue: async () => {
      const rounds = process.roundsOf();
      while ((await rounds.begin()) > 0) await rounds.settled();
    },
    close: async () => {
      await followed.close();
      await ops.close();
      await store.close();
      folder.remove();
    },
  };
}

export type FetchWorld = Awaited<ReturnType<typeof openFetchWorld>>;
