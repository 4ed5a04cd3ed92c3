import { writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorkMeters } from '../../src/compose/metrics/work-meters.ts';
import { beginDeliveryThread, type DeliveryThread } from '../../src/compose/threads/delivery-thread.ts';
import { eventually } from '../spec/eventually.ts';
import { createFakeClock, type FakeClock } from '../spec/fake-clock.ts';
import { createKeptLog } from '../spec/kept-log.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

/** Nobody listens there. */
const mongodbUrl = 'mongodb://127.0.0.1:1/none?replicaSet=rs0';

let folder: TempFolder;
let clock: FakeClock;
let log: ReturnType<typeof createKeptLog>;
let thread: DeliveryThread;
let fatal: Error[];
let workers: Worker[];
let letItBegin: () => void;
let ending: AbortController;
const noteWorker = (worker: Worker) => void workers.push(worker);

function begin(): void {
  thread = beginDeliveryThread({
    data: {
      backends: { dataDir: folder.path, mongodbUrl },
      delivery: { secretKey: new Uint8Array(32), allowPrivateTargets: false, retryDelays: ['5s'] },
      runs: ['relay', 'deliverer'],
      logLevel: 'silent',
      holder: 'test',
      busId: 'test',
      meters: createWorkMeters().memory,
    },
    after: new Promise((resolve) => {
      letItBegin = resolve;
    }),
    shareOpsWriter: () => null,
    ending: ending.signal,
    clock,
    log,
    onFatal: (error) => void fatal.push(error),
  });
}

beforeEach(() => {
  folder = createTempFolder();
  clock = createFakeClock();
  log = createKeptLog();
  [workers, fatal] = [[], []];
  ending = new AbortController();
  process.on('worker', noteWorker);
});
afterEach(async () => {
  process.off('worker', noteWorker);
  await thread.close();
  folder.remove();
});

it('begins when it is told to, and not at all once it is closed', async () => {
  begin();
  clock.advance(60_000);
  await expect(thread.check()).resolves.toBeUndefined();
  await thread.close();
  letItBegin();
  await nextTurn();
  expect(workers).toEqual([]);
});

it('does not begin either while others are closed before it', async () => {
  begin();
  ending.abort();
  letItBegin();
  await nextTurn();
  expect(workers).toEqual([]);
  await thread.close();
  expect(fatal).toEqual([]);
});

it('may take its time to start, and is a failure that is told when that does not end', async () => {
  begin();
  letItBegin();
  await eventually('it is being started', () => workers.length > 0);
  clock.advance(9_999);
  await expect(thread.check()).resolves.toBeUndefined();
  expect(await thread.relayPosition()).toBeNull();
  clock.advance(1);
  const sentence = 'the thread of relay and deliverer has not started yet';
  await expect(thread.check()).rejects.toThrow(sentence);
  await nextTurn();
  expect(log.lines).toEqual([{ level: 'warn', sentence }]);
  await thread.close();
  expect(fatal).toEqual([]);
});

it('that cannot be started ends the process with the reason', async () => {
  folder.remove(); // and a file where the folder should be
  writeFileSync(folder.path, '');
  begin();
  letItBegin();
  await eventually('it has failed', () => fatal.length > 0);
  await expect(thread.check()).rejects.toBe(fatal[0]);
});
