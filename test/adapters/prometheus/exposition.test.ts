import { expect, it } from 'vitest';
import { createExposition } from '../../../src/adapters/prometheus/exposition.ts';

const linesOf = async (exposition: ReturnType<typeof createExposition>, name: string): Promise<string[]> =>
  (await exposition.text()).split('\n').filter((line) => line.includes(name));

it('prints the buckets of a histogram one upon the other', async () => {
  const exposition = createExposition();
  exposition.add([
    {
      name: 'walks_seconds',
      help: 'How long walks took.',
      kind: 'histogram',
      boundsSeconds: [0.5, 2],
      read: async () => [{ labels: { road: 'a "b"\\c' }, counts: [3, 0, 1], sumSeconds: 7.25 }],
    },
  ]);
  const road = 'road="a \\"b\\"\\\\c"';
  const lines = await linesOf(exposition, 'walks_seconds');
  expect(lines).toEqual([
    '# HELP walks_seconds How long walks took.',
    '# TYPE walks_seconds histogram',
    `walks_seconds_bucket{${road},le="0.5"} 3`,
    `walks_seconds_bucket{${road},le="2"} 3`,
    `walks_seconds_bucket{${road},le="+Inf"} 4`,
    `walks_seconds_sum{${road}} 7.25`,
    `walks_seconds_count{${road}} 4`,
  ]);
});

it('reads a number each time that somebody asks', async () => {
  let value = 0;
  const exposition = createExposition();
  exposition.add([
    { name: 'steps_total', help: 'Steps.', kind: 'counter', read: async () => [{ labels: {}, value: (value += 1) }] },
  ]);
  expect((await linesOf(exposition, 'steps_total')).at(-1)).toBe('steps_total 1');
  expect((await linesOf(exposition, 'steps_total')).at(-1)).toBe('steps_total 2');
});

it('tells the delay of the event loop and the memory of the process', async () => {
  const text = await createExposition().text();
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
});
