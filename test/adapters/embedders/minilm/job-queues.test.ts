import { expect, it } from 'vitest';
import { createJobQueues, type JobQueues } from '../../../../src/adapters/embedders/minilm/job-queues.ts';
import { eventually } from '../../../spec/eventually.ts';

/** The queues over a model that only notes what it is asked, with messages that arrive while it computes. */
function startQueues(arriving: Readonly<Record<string, (queues: JobQueues) => void>> = {}) {
  const embedded: string[] = [];
  const told: string[] = [];
  const queues = createJobQueues({
    embed: async (text) => {
      embedded.push(text);
      // What arrives during a computation is read once the process comes back to its messages.
      const arrives = arriving[text];
      if (arrives !== undefined) setImmediate(() => arrives(queues));
      if (text === 'broken') throw new Error('out of memory');
      return text === '' ? null : Float32Array.of(text.length);
    },
    answer: (id, meanings) => told.push(`${id}: ${meanings.map((meaning) => meaning?.join() ?? 'nothing').join(' ')}`),
    refuse: (id, reason) => told.push(`${id} refused: ${reason}`),
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  });
  return { queues, embedded, told, settled: (count: number) => eventually('all is told', () => told.length === count) };
}

const fill = (id: number, ...texts: string[]) => ({ id, texts, isQuery: false });
const query = (id: number, ...texts: string[]) => ({ id, texts, isQuery: true });

it('answers with a vector for each text, in order, and none for a text that means nothing', async () => {
  const { queues, told, settled } = startQueues();
  queues.add(fill(1, 'a', '', 'ccc'));
  await settled(1);
  expect(told).toEqual(['1: 1 nothing 3']);
});

it('lets a query wait for one text of a fill at most', async () => {
  const { queues, embedded, told, settled } = startQueues({ f1: ({ add }) => add(query(2, 'query')) });
  queues.add(fill(1, 'f1', 'f2', 'f3'));
  await settled(2);
  expect(embedded).toEqual(['f1', 'query', 'f2', 'f3']);
  expect(told).toEqual(['2: 5', '1: 2 2 2']);
});

it('takes queries in their order', async () => {
  const { queues, embedded, settled } = startQueues();
  for (const job of [fill(1, 'fill'), query(2, 'q2'), query(3, 'q3')]) queues.add(job);
  await settled(3);
  expect(embedded).toEqual(['fill', 'q2', 'q3']);
});

it('refuses what fails, and goes on with the rest', async () => {
  const { queues, told, settled } = startQueues();
  queues.add(fill(1, 'a', 'broken', 'b'));
  queues.add(fill(2, 'c'));
  await settled(2);
  expect(told).toEqual(['1 refused: out of memory', '2: 1']);
});

it('does no more for what nobody waits for, and confirms that once', async () => {
  const { queues, embedded, told, settled } = startQueues({ f1: ({ drop }) => drop(1) });
  queues.add(fill(1, 'f1', 'f2', 'f3'));
  queues.add(fill(2, 'g1'));
  await settled(2);
  queues.drop(2);
  queues.add(fill(3, 'h1'));
  await settled(3);
  expect(embedded).toEqual(['f1', 'g1', 'h1']);
  expect(told).toEqual(['1 refused: nobody waits for it', '2: 2', '3: 2']);
});
