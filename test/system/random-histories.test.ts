import { afterAll, beforeAll, describe, test } from 'vitest';
import { failsAlike } from '../spec/random-history/fails-alike.ts';
import { runHistory, stepsOf, type ToldStep } from '../spec/random-history/run-history.ts';
import { shrinkSteps } from '../spec/random-history/shrink-steps.ts';
import { seedsToRun } from '../spec/seeds.ts';
import type { TempFolder } from '../spec/temp-folder.ts';
import { copyOfFolder, createEmptyDataFolder } from '../spec/worlds/followed-registry.ts';

const seeds = seedsToRun(30);

/** Of a history that is shrunk, which must end before the test does. */
const triesMax = 60;
const shrinkMsMax = 40_000;

/** Only these steps of a history, as a failure named them. */
const { STEPS } = process.env;

let emptyFolder: TempFolder;

beforeAll(async () => {
  emptyFolder = await createEmptyDataFolder();
});
afterAll(() => emptyFolder.remove());

interface Outcome {
  readonly error: unknown;
  readonly steps: readonly ToldStep[];
}

/** Null when all was as it should be. */
async function failureOf(seed: number, numbers: readonly number[]): Promise<Outcome | null> {
  const folder = copyOfFolder(emptyFolder);
  const steps: ToldStep[] = [];
  try {
    await runHistory(seed, { folder: folder.path }, numbers, (step) => steps.push(step));
    return null;
  } catch (error) {
    return { error, steps };
  } finally {
    folder.remove();
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** With the fewest steps that still fail. */
async function explained(seed: number, numbers: readonly number[], first: Outcome): Promise<Error> {
  let smallest = first;
  const endMs = performance.now() + shrinkMsMax;
  const fails = async (fewer: readonly number[]) => {
    if (performance.now() > endMs) return false;
    const outcome = await failureOf(seed, fewer);
    if (outcome === null || !failsAlike(first.error, outcome.error)) return false;
    smallest = outcome;
    return true;
  };
  const kept = await shrinkSteps(numbers, fails, triesMax);
  const told = smallest.steps.map(({ number, name }) => `${number} ${name}`).join(', ');
  const alone = `SEED=${seed} STEPS=${kept.join()} npx vitest run test/system/random-histories.test.ts`;
  const sentences = [
    `seed ${seed}: ${reasonOf(first.error)}`,
    `With the fewest steps: ${reasonOf(smallest.error)}`,
    `What happened: ${told}`,
    `These alone: ${alone}`,
  ];
  return new Error(sentences.join('\n'), { cause: smallest.error });
}

describe('what readers see is what all events together say', () => {
  test.each(seeds)('in the random history of seed %i', async (seed) => {
    const numbers = STEPS === undefined ? stepsOf(seed) : STEPS.split(',').map(Number);
    const failure = await failureOf(seed, numbers);
    if (failure !== null) throw await explained(seed, numbers, failure);
  });
});
