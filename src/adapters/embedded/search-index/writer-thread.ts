import { rmSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { Lease } from '../../../ports/leases.ts';
import { GenerationDropped, type SearchWrite, type SearchWriteOutcome } from '../../../ports/search-index.ts';
import { serveThread } from '../../threads/serve-thread.ts';
import { openReadPointers } from '../read-models/pointers.ts';
import { fileStatus, generationFile, openForWriting, pointerName } from './file.ts';
import { createSearchWriter, type SearchWriter } from './writer.ts';

export interface SearchWriterData {
  /** The data folder. */
  readonly folder: string;
  readonly pointersFile: string;
}

/** Time comes with each call, from the clock of the caller. */
export type SearchWriterCalls = {
  /** Makes it when it is not there. */
  readonly open: (generation: number) => void;
  readonly write: (input: { generation: number; write: SearchWrite }) => Promise<SearchWriteOutcome>;
  readonly acquire: (input: {
    generation: number;
    name: string;
    holder: string;
    ttlMs: number;
    nowMs: number;
  }) => Promise<Lease | null>;
  readonly renew: (input: { generation: number; lease: Lease; ttlMs: number; nowMs: number }) => Promise<boolean>;
  readonly release: (input: { generation: number; lease: Lease }) => Promise<void>;
  readonly isLeased: (input: { generation: number; name: string; nowMs: number }) => Promise<boolean>;
  readonly scrub: (generation: number) => Promise<void>;
  readonly switchPointer: (input: { expected: number | null; generation: number }) => boolean;
  readonly drop: (generation: number) => void;
};

/** A file that another process has dropped takes its space as long as anybody has it open. */
const lookEachMs = 5_000;

await serveThread<SearchWriterCalls>(() => {
  const { folder, pointersFile } = workerData as SearchWriterData;
  const pointers = openReadPointers(pointersFile, false);
  const opened = new Map<number, SearchWriter>();
  let calls = 0; // that are under way
  const statusOf = (generation: number) => fileStatus(generationFile(folder, generation));

  const forget = (generation: number): void => {
    opened.get(generation)?.close();
    opened.delete(generation);
  };

  const unlink = (generation: number): void => {
    forget(generation);
    const file = generationFile(folder, generation);
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  };

  const open = (generation: number): SearchWriter => {
    const known = opened.get(generation);
    if (known !== undefined) return known;
    const writer = createSearchWriter(openForWriting(generationFile(folder, generation)));
    opened.set(generation, writer);
    return writer;
  };

  /** What is not there is not made by the way: it was dropped. */
  const using = async <Result>(
    generation: number,
    work: (writer: SearchWriter) => Result | Promise<Result>,
  ): Promise<Result> => {
    calls += 1;
    try {
      if (!opened.has(generation) && statusOf(generation) !== 'there') throw new GenerationDropped();
      return await work(open(generation));
    } catch (error) {
      if (error instanceof GenerationDropped) forget(generation);
      throw error;
    } finally {
      calls -= 1;
    }
  };

  const letGoOfDropped = (): void => {
    if (calls > 0) return; // the next look comes soon
    for (const [generation, writer] of opened) if (writer.isDropped()) forget(generation);
  };
  const timer = setInterval(letGoOfDropped, lookEachMs);

  /** With the generation its leases are gone: they are lost, which is no failure. */
  const lostWithIt = <Result>(lost: Result) => {
    return (error: unknown): Result => {
      if (error instanceof GenerationDropped) return lost;
      throw error;
    };
  };

  /** Nobody can switch to it while it is marked; what was marked by one who was killed is ended. */
  const drop = (generation: number): void => {
    const mark = (isLive: boolean): boolean => {
      if (isLive) return false;
      if (statusOf(generation) === 'there') open(generation).markDropped();
      return true;
    };
    if (pointers.drop(pointerName, generation, mark)) unlink(generation);
  };

  return {
    calls: {
      open: (generation) => {
        const status = statusOf(generation);
        if (status === 'dropped') unlink(generation);
        if (status !== 'there') forget(generation);
        open(generation);
      },
      write: ({ generation, write }) => using(generation, (writer) => writer.write(write)),
      acquire: ({ generation, name, holder, ttlMs, nowMs }) =>
        using(generation, (writer) => writer.acquire(name, holder, ttlMs, nowMs)),
      renew: ({ generation, lease, ttlMs, nowMs }) =>
        using(generation, (writer) => writer.renew(lease, ttlMs, nowMs)).catch(lostWithIt(false)),
      release: ({ generation, lease }) =>
        using(generation, (writer) => writer.release(lease)).catch(lostWithIt(undefined)),
      isLeased: ({ generation, name, nowMs }) => using(generation, (writer) => writer.isLeased(name, nowMs)),
      scrub: (generation) => using(generation, (writer) => writer.scrub()),
      switchPointer: ({ expected, generation }) =>
        pointers.switch([{ name: pointerName, expected, generation }], () => statusOf(generation) === 'there') === null,
      drop,
    },
    close: () => {
      clearInterval(timer);
      for (const generation of [...opened.keys()]) forget(generation);
      pointers.close();
    },
  };
});
