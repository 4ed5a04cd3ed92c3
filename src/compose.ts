import { dateRelease } from '../commands/release/date-release.ts';
import { allProjections } from '../projections/all-projections.ts';
import { createLog } from './adapters/system/log.ts';
import { systemClock } from './adapters/system/clock.ts';
import { systemIds } from './adapters/system/ids.ts';
import { systemRandom } from './adapters/system/random.ts';
import { createTokenCounter } from './adapters/tokenizer/token-counter.ts';
import { closeInTurn } from './close-in-turn.ts';
import { openEmbeddedStores, type Stores } from './compose-embedded.ts';
import { nameOwners } from './domain/name/name-owners.ts';
import type { Log } from './ports/log.ts';
import type { TokenCounter } from './ports/token-counter.ts';
import { startProjectorThread } from './projector-thread.ts';
import { type BatchRunner, createBatchRunner } from './runtime/batch-runner.ts';
import { type CommandRunner, createCommandRunner } from './runtime/command-runner.ts';
import { startDueDates } from './runtime/due-dates.ts';
import { eraserPosition, startEraser } from './runtime/eraser.ts';
import { startExpirySweeper } from './runtime/expiry-sweeper.ts';
import { codeGenerationOf } from './runtime/generations.ts';
import { createLiveReadModels, type LiveReadModels } from './runtime/live-read-models.ts';
import { checkCheckpoint, checkIdentity, foundOrReadIdentity } from './runtime/store-identity.ts';

export interface RegistryOptions {
  readonly dataDir: string;
  readonly logLevel: string;
  /** Public address of the web pages, without a slash at the end. */
  readonly webBaseUrl: string;
  /** A part died that the service cannot go on without. */
  readonly onFatal: (error: Error) => void;
}

export interface Registry extends Stores {
  readonly commands: CommandRunner;
  readonly batches: BatchRunner;
  readonly tokens: TokenCounter;
  readonly live: LiveReadModels;
  readonly log: Log;
  /** Throws when a read model stands still because its fold failed. */
  readonly checkProjections: () => Promise<void>;
  /** Resolves when the text that the erasure at this position names is in no file any more. */
  readonly erased: (position: number) => Promise<void>;
}

/** The stores, checked against each other; nothing runs yet. */
export async function openStores(options: Pick<RegistryOptions, 'dataDir' | 'onFatal'>): Promise<Stores> {
  const stores = await openEmbeddedStores({ ...options, clock: systemClock });
  try {
    const { eventStore: store, readModels, ops } = stores;
    const registryId = await foundOrReadIdentity({ store, ids: systemIds, clock: systemClock });
    await checkIdentity(registryId, { 'read models': readModels, 'operational data': ops });
    const head = await store.head();
    const pointers = await readModels.pointers();
    checkCheckpoint('The operational store', await eraserPosition(ops), head);
    for (const projection of allProjections) {
      const { name, indexes } = projection;
      const generation = pointers[name];
      // One made by other folds may have other indexes; it is left to the processes that know them.
      if (generation === undefined || codeGenerationOf(generation) !== projection.generation) continue;
      const model = await readModels.open({ name, generation, indexes });
      checkCheckpoint(`The read model ${name}`, await model.checkpoint(), head);
    }
    return stores;
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** Longer than a projector needs to be replaced by another one. */
const scrubWaitMs = 15_000;

/** Everything that runs in one process on one data folder. */
export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const { dataDir, logLevel, onFatal, webBaseUrl } = options;
  const clock = systemClock;
  const log = createLog({ level: logLevel });
  const stores = await openStores(options);
  const { eventStore: store, readModels, ops } = stores;
  const instance = `${process.pid}:${systemIds.commandId()}`;
  const closers: (() => Promise<void>)[] = [stores.close];
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closeInTurn([...closers].reverse()));
  try {
    const holder = `projector:${instance}`;
    const projector = await startProjectorThread({ dataDir, logLevel, holder, clock, log, onFatal });
    closers.push(projector.close);
    const tokens = await createTokenCounter({ onFatal });
    closers.push(tokens.close);
    const live = createLiveReadModels(readModels, allProjections, clock);
    const commands = createCommandRunner({ store, clock, random: systemRandom, nameOwners });
    const batches = createBatchRunner({ store, clock, random: systemRandom });
    const scrub = async (position: number) => {
      const names = allProjections.map(({ name }) => name);
      if (!(await live.waitFor(names, position, scrubWaitMs)))
        throw new Error('a read model has not passed an erasure');
      await readModels.scrub();
    };
    const eraser = startEraser({ store, ops, clock, log, holder: `main:${instance}`, scrub });
    eraser.done.catch(onFatal);
    closers.push(eraser.close);
    const dueDates = startDueDates({
      ops,
      clock,
      log,
      holder: `main:${instance}`,
      pending: async () => (await live.current())?.get('pending') ?? null,
      dateRelease: async (releaseId) => {
        const commandId = systemIds.commandId();
        const request = { commandId, actor: 'system:due-dates', cause: 'system', correlationId: commandId } as const;
        await commands.run(dateRelease, { releaseId, webBaseUrl }, request);
      },
    });
    dueDates.done.catch(onFatal);
    closers.push(dueDates.close);
    const sweeper = startExpirySweeper({ ops, clock, log });
    sweeper.done.catch(onFatal);
    closers.push(sweeper.close);
    const checkProjections = async () => {
      const [failed] = await projector.failures();
      if (failed !== undefined) throw new Error(failed.message);
    };
    return { ...stores, commands, batches, tokens, live, log, checkProjections, erased: eraser.waitFor, close };
  } catch (error) {
    await close();
    throw error;
  }
}
