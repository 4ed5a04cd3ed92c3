import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMiniLmEmbedder } from '../../src/adapters/embedders/minilm/minilm-embedder.ts';
import { openStaticEmbedder } from '../../src/adapters/embedders/static-embedder.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { createHttpClient } from '../../src/adapters/undici/http-client.ts';
import { openEmbedders } from '../../src/compose/open-embedders.ts';
import { embeddingSettingsOf } from '../../src/config/embedding-settings.ts';
import { readConfig } from '../../src/config/read-config.ts';
import type { Embedder } from '../../src/ports/embedder.ts';
import type { Log } from '../../src/ports/log.ts';
import { releaseEntries } from '../../src/search/entries/release-entries.ts';
import type { Figure } from './bench-report.ts';
import { secondsSince } from './worlds/bench-folder.ts';
import { cpuMsOf, cpuSeconds } from './worlds/cpu-time.ts';
import { residentMiB } from './worlds/resident-memory.ts';
import { benchNowMs, benchRangeMs, createChance, releaseItem } from './worlds/seeded-data.ts';

const releases = 3_000;
const miniLmEntries = 2_000;
const queries = 400;
const idleMs = 3_000;

const quiet: Log = {
  info: () => {},
  warn: (sentence) => console.error(sentence),
  error: (sentence) => console.error(sentence),
};

const chance = createChance(18);
const shape = { bodyChars: 1_500, fromMs: benchNowMs - benchRangeMs, toMs: benchNowMs };
const bodies = Array.from({ length: releases }, (_, number) => releaseItem(chance, number, shape).content);

/** The lines of made releases are short: three make an entry of 24 pieces of words, as many as real ones have. */
function* entriesOf(texts: readonly string[]): Generator<string> {
  for (const body of texts) {
    const lines = releaseEntries('acme-client', body).map(({ text }) => text);
    for (let at = 0; at + 2 < lines.length; at += 3)
      yield lines
        .slice(at, at + 3)
        .join(' ')
        .replaceAll(' acme-client:', '');
  }
}

const percentile = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)]!;

async function queryTimes(embedder: Embedder, metric: string, atMost?: number): Promise<Figure[]> {
  const times: number[] = [];
  for (let number = 0; number < queries; number += 1) {
    const query = `memory leak in the pool ${number}`;
    const startedMs = performance.now();
    await embedder.embed([query], { isQuery: true });
    times.push(performance.now() - startedMs);
  }
  times.sort((one, other) => one - other);
  const bound = atMost === undefined ? {} : { atMost };
  return [
    { metric: `${metric}, p50`, value: percentile(times, 0.5), unit: 'ms', ...bound },
    { metric: `${metric}, p95`, value: percentile(times, 0.95), unit: 'ms', ...bound },
  ];
}

/** The fastest of some: what else runs on the machine only makes it slower. */
function fastestMs(rounds: number, work: () => unknown): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const startedMs = performance.now();
    work();
    fastest = Math.min(fastest, performance.now() - startedMs);
  }
  return fastest;
}

async function measureStatic(entries: readonly string[]): Promise<Figure[]> {
  const open = () => openStaticEmbedder({ clock: systemClock });
  const firstMs = fastestMs(1, open);
  const embedder = open();
  await embedder.embed(entries.slice(0, 2_000)); // once before, so that nobody measures the compiler
  const startedMs = performance.now();
  const cpuMs = await cpuMsOf(() => embedder.embed(entries));
  return [
    { metric: 'static: loading, the first time in a process', value: firstMs, unit: 'ms' },
    { metric: 'static: loading', value: fastestMs(5, open), unit: 'ms', atMost: 30 },
    {
      metric: 'static: entries, a second',
      value: entries.length / secondsSince(startedMs),
      unit: '/s',
      atLeast: 6_000,
    },
    { metric: 'static: entries, a second of CPU', value: (entries.length / cpuMs) * 1_000, unit: '/s' },
  ];
}

async function measureMiniLm(entries: readonly string[]): Promise<Figure[]> {
  const children: ChildProcess[] = [];
  const remember = (message: unknown) => void children.push((message as { process: ChildProcess }).process);
  subscribe('child_process', remember);
  const openedMs = performance.now();
  const embedder = await openMiniLmEmbedder({ log: quiet });
  const loadMs = performance.now() - openedMs;
  unsubscribe('child_process', remember);
  const pid = children[0]!.pid!;
  try {
    const loadedMiB = residentMiB(pid);
    await embedder.embed(entries.slice(0, 100));
    const alone = await queryTimes(embedder, 'MiniLM: a query', 5);
    const [cpuBefore, startedMs] = [cpuSeconds(pid), performance.now()];
    await embedder.embed(entries);
    const [cpu, seconds] = [cpuSeconds(pid) - cpuBefore, secondsSince(startedMs)];
    const filling = new AbortController();
    const fill = embedder.embed(Array(20).fill(entries).flat(), filling).catch(() => {}); // until it is aborted
    const during = await queryTimes(embedder, 'MiniLM: a query while a fill goes on');
    filling.abort();
    await fill;
    const idleBefore = cpuSeconds(pid);
    await sleep(idleMs);
    const idleCpu = cpuSeconds(pid) - idleBefore;
    await embedder.embed([entries.join(' ').slice(0, 8_000)]);
    return [
      { metric: 'MiniLM: start of its process until it serves', value: loadMs, unit: 'ms' },
      { metric: 'MiniLM: entries, a second', value: entries.length / seconds, unit: '/s' },
      { metric: 'MiniLM: entries, a second of CPU', value: entries.length / cpu, unit: '/s', atLeast: 300 },
      ...alone,
      ...during,
      {
        metric: 'MiniLM: CPU of its process while it idles',
        value: (idleCpu * 1_000) / idleMs,
        unit: 's/s',
        atMost: 0.01,
      },
      { metric: 'MiniLM: memory of its process when loaded', value: loadedMiB, unit: 'MiB' },
      { metric: 'MiniLM: memory of its process at most', value: residentMiB(pid, 'VmHWM'), unit: 'MiB' },
    ];
  } finally {
    await embedder.close();
  }
}

/** Both at once, as a service starts them. */
async function measureStart(): Promise<Figure> {
  const http = createHttpClient();
  const startedMs = performance.now();
  const embedders = await openEmbedders({ http, clock: systemClock, log: quiet }, embeddingSettingsOf(readConfig({})));
  const value = performance.now() - startedMs;
  await embedders?.best.close();
  await http.close();
  return { metric: 'start of the embedders of a service', value, unit: 'ms' };
}

/** Texts into vectors, from the text of a release on. */
export async function runEmbedders(): Promise<Figure[]> {
  const entries = [...entriesOf(bodies)];
  const words = entries.reduce((sum, entry) => sum + entry.split(' ').length, 0) / entries.length;
  const cutCpuMs = await cpuMsOf(async () => bodies.forEach((body) => releaseEntries('acme-client', body)));
  return [
    { metric: 'words in an entry', value: words, unit: '' },
    {
      metric: `releases of ${shape.bodyChars} characters cut into entries, a second of CPU`,
      value: (releases / cutCpuMs) * 1_000,
      unit: '/s',
    },
    ...(await measureStatic(entries)),
    ...(await measureMiniLm(entries.slice(0, miniLmEntries))),
    await measureStart(),
  ];
}
