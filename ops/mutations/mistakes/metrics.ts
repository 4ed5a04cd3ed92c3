import type { Mistake } from '../mistake.ts';

/** What those who run the service watch. */
export const metricMistakes: readonly Mistake[] = [
  {
    name: 'path-as-label',
    file: 'src/http/app.ts',
    text: "ctx.state['routeNumber'] = noRoute;",
    replacement: "ctx.state['routeNumber'] = noRoute + (ctx.path.length % 7);",
    wrong: 'Requests that no route takes are told as those of routes, by how they are spelled.',
    tests: ['test/http/metrics.test.ts'],
  },
  {
    name: 'buckets-beside-each-other',
    file: 'src/adapters/prometheus/exposition.ts',
    text: 'value: count };\n    });',
    replacement: 'value: inBucket };\n    });',
    wrong: 'Every quantile that Prometheus computes is wrong.',
    tests: ['test/adapters/prometheus/exposition.test.ts'],
  },
  {
    name: 'lag-of-what-concerns-nobody',
    file: 'src/runtime/measuring/event-lag.ts',
    text: 'limit: 1, types });',
    replacement: 'limit: 1 });',
    wrong: 'A read model that is up to date seems to be behind, and somebody is woken for it.',
    tests: ['test/runtime/measuring/event-lag.test.ts'],
  },
  {
    name: 'stand-by-tells-where-it-was',
    file: 'src/runtime/resilience/follow-with-lease.ts',
    text: 'isOurs ? position : null',
    replacement: 'position',
    wrong: 'A relay that stands by tells a lag that grows for ever.',
    tests: ['test/runtime/relay/relay-lease.test.ts'],
  },
  {
    name: 'failed-append-is-an-append',
    file: 'src/runtime/measuring/measured-appends.ts',
    text: "let outcome: AppendOutcome = 'failed';",
    replacement: "let outcome: AppendOutcome = 'appended';",
    wrong: 'While no event can be stored, the numbers say that all are.',
    tests: ['test/runtime/measuring/event-lag.test.ts'],
  },
  {
    name: 'thread-counts-for-itself',
    file: 'src/compose/threads/delivery-worker.ts',
    text: 'createWorkMeters(meters).deliveries.add',
    replacement: 'createWorkMeters().deliveries.add',
    wrong: 'Deliveries are counted where nobody reads, and seem to have stopped.',
    tests: ['test/http/metrics.test.ts'],
  },
  {
    name: 'look-up-without-an-end',
    file: 'src/compose/metrics/read-in-time.ts',
    text: 'Promise.race([read(), tooLate()])',
    replacement: 'Promise.race([read()])',
    wrong: 'A store that never answers hides all the other numbers.',
    tests: ['test/compose/read-in-time.test.ts'],
  },
];
