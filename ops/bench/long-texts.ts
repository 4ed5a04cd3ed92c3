import { openStores } from '../../src/compose/stores/open-stores.ts';
import { storeText } from '../../src/domain/body/split-body.ts';
import { toTimestamp } from '../../src/kernel/dates.ts';
import { derivedId } from '../../src/kernel/ids.ts';
import type { EventStore, StreamAppend } from '../../src/ports/event-store.ts';
import { newEvents } from '../../src/runtime/commands/new-events.ts';
import type { Figure } from './bench-report.ts';
import { withChild } from './worlds/bench-child.ts';
import { failBench } from './worlds/bench-folder.ts';
import { peakMiB } from './worlds/peak-memory.ts';
import { benchNowMs, benchRequest, createChance } from './worlds/seeded-data.ts';
import { buildRegistry, commandLine } from './worlds/served-registry.ts';

const texts = 2_000;
const shortestChars = 300_000;
const longestChars = 500_000;
const appendTexts = 20;

/** The parts of a text that belongs to nobody: what is filled from them is the same. */
function appendOf(number: number, text: string): StreamAppend {
  const { stream, parts } = storeText(derivedId('rel', String(number)), text).body!;
  const events = parts.map((part, index) => ({
    type: 'BodyPartStored.v1',
    data: { part: index, parts: parts.length, text: part },
  }));
  const target = { stream, expectedVersion: 0 };
  return { ...target, events: newEvents(events, target, benchRequest(number), toTimestamp(benchNowMs)) };
}

async function storeTexts(store: EventStore): Promise<void> {
  const chance = createChance(1);
  for (let from = 0; from < texts; from += appendTexts) {
    const appends = Array.from({ length: appendTexts }, (_, index) => {
      const chars = chance.int(shortestChars, longestChars);
      return appendOf(from + index, `${from + index} is no text to read. `.repeat(chars / 20).slice(0, chars));
    });
    await store.appendMany(appends);
  }
}

const peakOf = (dataDir: string, words: readonly string[]): Promise<number> =>
  withChild(commandLine(dataDir, words), {}, ({ pid, exited }) => peakMiB(pid, exited));

/** What a rebuild takes beside what the same program takes that only looks. */
export async function longTexts(dataDir: string): Promise<Figure[]> {
  const { eventStore, close } = await openStores({ backends: { dataDir }, onFatal: failBench });
  await storeTexts(eventStore);
  await close();
  await buildRegistry(dataDir);
  const baseMiB = await peakOf(dataDir, ['projections']);
  const filledMiB = await peakOf(dataDir, ['rebuild', 'bodies']);
  const metric = `memory of a rebuild of ${texts} texts of ${shortestChars} to ${longestChars} characters, above the base`;
  return [
    { metric: 'memory of a command that only looks', value: baseMiB, unit: 'MiB' },
    { metric, value: filledMiB - baseMiB, unit: 'MiB', atMost: 250 },
  ];
}
