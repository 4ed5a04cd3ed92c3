import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runRegistry } from '../spec/processes/registry-process.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

let folder: TempFolder;

beforeEach(() => {
  folder = createTempFolder();
});
afterEach(() => folder.remove());

const topics = (...words: readonly string[]) => runRegistry(['topics', ...words, '--data', folder.path]);

interface Listing {
  readonly topics: readonly { readonly name: string; readonly exists: boolean; readonly waiting: number | null }[];
  readonly notices: readonly string[];
}
const listing = (...words: readonly string[]): Listing => JSON.parse(topics(...words, '--json').stdout) as Listing;

describe('registry topics', () => {
  it('lists what is missing, makes it, and finds it again', () => {
    expect(listing().topics.map(({ exists }) => exists)).toEqual(Array.from({ length: 11 }, () => false));
    const made = listing('ensure');
    expect(made.notices).toEqual([]);
    expect(made.topics.every(({ exists }) => exists)).toBe(true);
    expect(listing()).toEqual(made);
    const waiting = Object.fromEntries(made.topics.map((topic) => [topic.name, topic.waiting]));
    expect(waiting).toMatchObject({ 'registry.events': null, 'webhooks.deliveries': 0, 'webhooks.retry.5s': 0 });
    expect(topics().stdout).toContain('webhooks.deliveries: 12 partitions declared, 0 waiting');
  });

  it('says what it takes', () => {
    const { status, stderr } = topics('delete');
    expect(status).toBe(2);
    expect(stderr).toContain('Say: topics, or topics ensure.');
  });
});
