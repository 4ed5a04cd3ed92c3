import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { queryMeaning } from '../../queries/search/query-meaning.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { beginSearchThread, type SearchThread } from '../../src/compose/threads/search-thread.ts';
import { embeddingSettingsOf } from '../../src/config/embedding-settings.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { eventually } from '../spec/eventually.ts';
import { createKeptLog } from '../spec/kept-log.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

let folder: TempFolder;
let thread: SearchThread;
let workers: Worker[];
let letItBegin: () => void;
const noteWorker = (worker: Worker) => void workers.push(worker);

beforeEach(() => {
  folder = createTempFolder();
  workers = [];
  process.on('worker', noteWorker);
  thread = beginSearchThread({
    data: {
      backends: { dataDir: folder.path },
      embedding: embeddingSettingsOf(readConfig({ EMBEDDER: 'static' })),
      feeds: false,
      logLevel: 'silent',
      holder: 'test',
    },
    after: new Promise((resolve) => {
      letItBegin = resolve;
    }),
    shareOpsWriter: () => null,
    clock: systemClock,
    log: createKeptLog(),
    onFatal: (error) => {
      throw error;
    },
  });
});
afterEach(async () => {
  process.off('worker', noteWorker);
  await thread.close();
  folder.remove();
});

const meaning = () => queryMeaning({ embedder: thread.embedder }, { q: 'memory leak', tokens: ['memory', 'leak'] });
const degraded = { nearest: null, degradedReason: 'embedding_unavailable' };

it('begins when it is told to, and not at all once it is closed', async () => {
  await expect(thread.check()).resolves.toBeUndefined();
  expect(await meaning()).toEqual(degraded);
  await thread.close();
  letItBegin();
  await nextTurn();
  expect(workers).toEqual([]);
});

it('that is being started, or dies with a query in hand, leaves searches to words, and is back by itself', async () => {
  letItBegin();
  expect(await meaning()).toEqual(degraded);
  const isBack = async () => (await meaning()).degradedReason === null;
  await eventually('it embeds', isBack);
  const inHand = Array.from({ length: 50 }, meaning);
  await workers[0]!.terminate();
  const outcomes = await Promise.all(inHand);
  expect(
    outcomes.filter(({ degradedReason }) => degradedReason !== null).every(({ nearest }) => nearest === null),
  ).toBe(true);
  expect(await meaning()).toEqual(degraded);
  await eventually('it embeds again', isBack);
  expect((await meaning()).nearest?.near[0]?.length).toBe(256);
});
