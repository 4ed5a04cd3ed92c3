import type { Mistake } from '../mistake.ts';

const tests = ['test/system/http-threads.test.ts'];
const withoutSearch = ['test/system/http-threads-without-search.test.ts'];
const rooms = 'src/compose/processes';

/** Several processes that answer the requests of one port. */
export const httpProcessMistakes: readonly Mistake[] = [
  {
    name: 'connections-of-a-dead-process-left-hanging',
    file: `${rooms}/http-process.ts`,
    text: 'for (const connection of left) giveBack(connection);',
    replacement: 'left.splice(0);',
    wrong: 'Whoever was given to a process just before it died waits for an answer that nobody will send.',
    tests,
  },
  {
    name: 'hanging-process-left-alone',
    file: `${rooms}/http-process.ts`,
    text: 'if (untaken.size === 0) void watch();',
    replacement: '',
    wrong: 'A process that hangs lets every second client wait, and nothing looks wrong from outside.',
    tests,
  },
  {
    name: 'connections-given-to-a-process-that-starts',
    file: `${rooms}/http-process.ts`,
    text: 'canTake: () => isReady && child.connected && untaken.size < untakenMax,',
    replacement: 'canTake: () => child.connected && untaken.size < untakenMax,',
    wrong: 'For seconds after a process has died, every second client gets no answer.',
    tests,
  },
  {
    name: 'further-process-outlives-the-first',
    file: `${rooms}/http-process-worker.ts`,
    text: "process.on('disconnect', () => process.exit(1));",
    replacement: "process.on('disconnect', () => {});",
    wrong: 'Processes that nobody gives connections to stay for ever, with the memory of a whole registry each.',
    tests,
  },
  {
    name: 'further-process-ends-by-the-signal-for-all',
    file: `${rooms}/http-process-worker.ts`,
    text: "for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});",
    replacement: '',
    wrong: 'Ctrl-C cuts off the requests that further processes have in hand.',
    tests,
  },
  {
    name: 'further-process-cut-off-at-the-end',
    file: `${rooms}/http-process-worker.ts`,
    text: '  await connections?.close();\n  await catalogueThread.close();\n  await served?.close();\n',
    replacement: '  await served?.close();\n',
    wrong: 'A stop cuts off the requests that further processes have in hand.',
    tests,
  },
  {
    name: 'dead-process-not-started-again',
    file: `${rooms}/http-processes.ts`,
    text: '      await clock.sleep(delayMs, closing.signal);\n',
    replacement: '      return;\n',
    wrong: 'A service that has run for long answers with one core only.',
    tests,
  },
  {
    name: 'slow-clients-of-others-never-refused',
    file: 'src/adapters/node-http/http-connections.ts',
    text: "if (!isWatching && !server.listening) server.emit('listening');",
    replacement: '',
    wrong: 'Whoever opens connections and says nothing keeps them for as long as he likes.',
    tests: ['test/adapters/node-http/serve-http.test.ts'],
  },
  {
    name: 'whole-process-steps-aside',
    file: 'src/adapters/threads/step-aside.ts',
    text: 'setPriority(niceness[work])',
    replacement: 'setPriority(process.pid, niceness[work])',
    wrong: 'The thread that answers requests waits for those that nobody waits for.',
    tests: ['test/adapters/threads/thread.test.ts'],
  },
  {
    name: 'thread-given-up-served-after-all',
    file: 'src/adapters/threads/thread.ts',
    text: 'if (unwanted) return;',
    replacement: '',
    wrong: 'Who gave up a thread gets it all the same, and is told of its death a moment later.',
    tests: ['test/adapters/threads/thread.test.ts'],
  },
  {
    name: 'driver-loaded-module-by-module',
    file: 'ops/build.mjs',
    text: "'kafkajs',",
    replacement: "'kafkajs',\n  'mongodb',",
    wrong:
      'On MongoDB each thread of a start loads more than a hundred modules one by one, which takes three times as long.',
    tests: ['test/system/built-files.test.ts'],
  },
  {
    name: 'further-process-waits-for-what-searches-need',
    file: `${rooms}/http-process-worker.ts`,
    text: 'untilReady(http.neededChecks, {',
    replacement: 'untilReady(http.services.checks, {',
    wrong: 'While OpenSearch is away a service answers with one core only, and a process that dies does not come back.',
    tests: withoutSearch,
  },
  {
    name: 'start-waits-for-what-searches-need',
    file: 'src/cli/serve.ts',
    text: 'untilReady(neededChecks, {',
    replacement: 'untilReady(services.checks, {',
    wrong: 'While OpenSearch is away no start says that it is ready, and none begins further processes.',
    tests: withoutSearch,
  },
];
