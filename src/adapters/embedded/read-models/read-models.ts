import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Document, ReadModelDeclaration } from '../../../kernel/projection.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { OpenOptions, PointerSwitch, ReadModel, ReadModels } from '../../../ports/read-models.ts';
import { createSqliteLeases } from '../sqlite/leases.ts';
import { type Database, logBytesOf, openDatabase, takeLeftLog } from '../sqlite/open-database.ts';
import { createReadModel } from './read-model.ts';
import {
  checkDeclaration,
  HalfDropped,
  hasLeases,
  isDropped,
  markDropped,
  openReadModelFile,
  ownCheckpoint,
  type ReadModelFile,
} from './file.ts';
import { createKeeper } from './keeper.ts';
import { openPassedOver } from './passed-over.ts';
import { openReadPointers } from './pointers.ts';

export interface EmbeddedReadModelsOptions {
  /** The data folder. */
  readonly folder: string;
  readonly clock: Clock;
  /** Then nothing is created: files that are not there are an error. */
  readonly readonly?: boolean;
}

/** About what is moved into a file in 5 ms. */
const shortLogBytesMax = 1024 * 1024;

interface Opened {
  readonly file: ReadModelFile;
  readonly model: ReadModel;
}

const fileName = (name: string, generation: number): string => {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) throw new Error(`${name} cannot be the name of a read model`);
  if (!Number.isSafeInteger(generation) || generation < 0) throw new Error(`${generation} is no generation`);
  return `${name}.g${generation}.sqlite`;
};

/** One SQLite file for each generation. Calls work on the thread that makes them, but for those on whole files. */
export const createEmbeddedReadModels = async ({
  folder,
  clock,
  readonly = false,
}: EmbeddedReadModelsOptions): Promise<ReadModels> => {
  const readFolder = join(folder, 'read');
  const pathOf = (name: string, generation: number) => join(readFolder, fileName(name, generation));
  const pointers = openReadPointers(join(readFolder, 'pointers.sqlite'), readonly);
  const passed = openPassedOver(join(readFolder, 'passed.sqlite'), readonly);
  const opened = new Map<string, Opened>();
  const keeper = createKeeper();
  const checks = new Map<string, Promise<void>>();
  let closed = false;

  const whileOpen = <Result>(work: () => Result): Result => {
    if (closed) throw new Error('The read models are closed.');
    return work();
  };

  const forget = (path: string) => {
    opened.get(path)?.file.db.close();
    opened.delete(path);
  };

  const unlink = (path: string) => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  };

  const generationsOf = (name: string): number[] => {
    const prefix = fileName(name, 0).slice(0, -'0.sqlite'.length);
    const numbers = readdirSync(readFolder)
      .filter((file) => file.startsWith(prefix) && file.endsWith('.sqlite'))
      .map((file) => Number(file.slice(prefix.length, -'.sqlite'.length)));
    return numbers.sort((a, b) => a - b);
  };

  const lookInto = <Seen>(name: string, generation: number, look: (db: Database) => Seen): Seen => {
    const db = openDatabase({ file: pathOf(name, generation), synchronous: 'NORMAL', kind: 'read', readonly: true });
    try {
      return look(db);
    } finally {
      db.close();
    }
  };

  /** False when it is not there, is live, or may not be dropped; one that was dropped only half way is ended. */
  const drop = (name: string, generation: number, mayDrop: (db: Database) => boolean = () => true): boolean => {
    if (readonly) throw new Error('These read models were opened readonly.');
    const path = pathOf(name, generation);
    if (!generationsOf(name).includes(generation)) {
      forget(path);
      return false;
    }
    const db = openDatabase({ file: path, synchronous: 'NORMAL', kind: 'read' });
    try {
      const mark = (isLive: boolean) => markDropped(db, () => !isLive && mayDrop(db));
      if (!pointers.drop(name, generation, mark)) return false;
    } finally {
      db.close();
    }
    forget(path);
    passed.forget(name, generation);
    unlink(path);
    return true;
  };

  const dropAbandoned = (name: string, generation: number, idleMs: number): boolean => {
    const isAbandoned = (db: Database): boolean => {
      if (isDropped(db)) return true;
      if (!hasLeases(db)) return false;
      const lastExpiryMs = createSqliteLeases(db).lastExpiryMs();
      return lastExpiryMs !== null && lastExpiryMs <= clock.nowMs() - idleMs;
    };
    // Looked at first, without the lock: whoever fills it writes for long at a time, and this thread must not wait for that.
    const mayBe = (): boolean => {
      if (pointers.all()[name] === generation || !generationsOf(name).includes(generation)) return false;
      return lookInto(name, generation, isAbandoned);
    };
    return mayBe() && drop(name, generation, isAbandoned);
  };

  /** Its leases are gone from the moment on at which its drop begins. */
  const isThere = ({ name, generation, lease }: PointerSwitch): boolean => {
    const isWhole = (db: Database): boolean =>
      hasLeases(db) && (lease === undefined || createSqliteLeases(db).isHeld(lease));
    const known = opened.get(pathOf(name, generation))?.file.db;
    if (known !== undefined && !isDropped(known)) return isWhole(known);
    return generationsOf(name).includes(generation) && lookInto(name, generation, isWhole);
  };

  const openWhole = (declaration: ReadModelDeclaration, fillingWith: readonly string[] | undefined): ReadModelFile => {
    const { name, generation } = declaration;
    try {
      return openReadModelFile({ file: pathOf(name, generation), declaration, fillingWith, readonly });
    } catch (error) {
      if (error instanceof HalfDropped && !readonly) drop(name, generation); // so that the next try makes it anew
      throw error;
    }
  };

  const open = (declaration: ReadModelDeclaration, fillingWith: readonly string[] | undefined) => {
    const path = pathOf(declaration.name, declaration.generation);
    const known = opened.get(path);
    if (known && !isDropped(known.file.db)) {
      checkDeclaration(known.file.db, declaration);
      return known.model;
    }
    // Another process or thread drops what is no longer live; an open file would keep its space on the disk.
    for (const [openedPath, { file }] of [...opened]) if (isDropped(file.db)) forget(openedPath);
    const file = openWhole(declaration, fillingWith);
    const model = createReadModel(file, clock, passed);
    opened.set(path, { file, model });
    return model;
  };

  /** Who opens the same file meanwhile waits for the same check. */
  const checkedAfterCrash = async (path: string): Promise<void> => {
    const running = checks.get(path);
    if (running !== undefined) return running;
    if (readonly || opened.has(path)) return;
    // A short one is moved at once; mostly somebody else has the file open, and there is nothing to move.
    const isShort = logBytesOf(path) <= shortLogBytesMax;
    if (isShort && !takeLeftLog({ file: path, kind: 'read', synchronous: 'NORMAL' })) return;
    const check = keeper.call(isShort ? 'check' : 'takeLogAndCheck', path).finally(() => checks.delete(path));
    checks.set(path, check);
    await check;
  };

  /** Null of one that is not open here, or is being dropped. */
  const baseOf = (name: string, generation: number): number | null => {
    const file = opened.get(pathOf(name, generation))?.file;
    if (file === undefined) return null;
    try {
      return ownCheckpoint(file);
    } catch (error) {
      if (isDropped(file.db)) return null;
      throw error;
    }
  };

  return {
    open: async <Doc extends Document>(declaration: ReadModelDeclaration, options: OpenOptions = {}) => {
      const path = whileOpen(() => pathOf(declaration.name, declaration.generation));
      await checkedAfterCrash(path);
      return whileOpen(() => open(declaration, options.fillingWith) as ReadModel<Doc>);
    },
    pointers: async () => whileOpen(() => pointers.all()),
    switchPointers: async (switches) => whileOpen(() => pointers.switch(switches, isThere)),
    passOver: async (moves) =>
      whileOpen(() => {
        const found = moves.flatMap(({ name, generation, from, position }) => {
          const base = baseOf(name, generation);
          if (base === null || passed.positionOf(name, generation, base) !== from) return [];
          return [{ name, generation, base, position }];
        });
        passed.pass(found);
        return found.length;
      }),
    writeTogether: null,
    generations: async (name) => whileOpen(() => generationsOf(name)),
    pastGenerations: async (name) =>
      whileOpen(() => {
        const past = pointers.past(name);
        return generationsOf(name).filter((generation) => past.includes(generation));
      }),
    drop: async (name, generation) => whileOpen(() => void drop(name, generation)),
    dropAbandoned: async (...given) => whileOpen(() => dropAbandoned(...given)),
    scrub: async () => {
      // Older versions of a page stay in the log until it is emptied.
      const files = whileOpen(() => [...opened].filter(([, { file }]) => !isDropped(file.db)).map(([path]) => path));
      await keeper.call('emptyLogs', files);
    },
    identity: async () => whileOpen(() => pointers.identity()),
    setIdentity: async (registryId) => whileOpen(() => pointers.setIdentity(registryId)),
    close: async () => {
      if (closed) return;
      closed = true;
      for (const path of [...opened.keys()]) forget(path);
      pointers.close();
      passed.close();
      await keeper.close();
    },
  };
};
