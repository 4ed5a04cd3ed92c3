import type { Mistake } from '../mistake.ts';

const embedded = 'src/adapters/embedded';
const embeddedSuite = 'test/adapters/embedded/event-store/event-store.test.ts';

/** The event stores: what is acknowledged is on disk, and whoever follows sees each event once. */
export const eventMistakes: readonly Mistake[] = [
  {
    name: 'event-file-without-flush',
    file: `${embedded}/event-store/writer-thread.ts`,
    text: "kind: 'events', synchronous: 'FULL' }",
    replacement: "kind: 'events', synchronous: 'OFF' as 'FULL' }",
    wrong: 'A power failure takes acknowledged events with it, or damages the file.',
    tests: ['test/adapters/embedded/sqlite/flushed-writers.test.ts'],
  },
  {
    name: 'operational-file-without-flush',
    file: `${embedded}/operational-store/writer-thread.ts`,
    text: "kind: 'ops', synchronous: 'FULL' }",
    replacement: "kind: 'ops', synchronous: 'NORMAL' }",
    wrong: 'A power failure takes back checkpoints and messages that were told to be stored.',
    tests: ['test/adapters/embedded/sqlite/flushed-writers.test.ts'],
  },
  {
    name: 'synchronous-setting-ignored',
    file: `${embedded}/sqlite/open-database.ts`,
    text: 'db.pragma(`synchronous = ${options.synchronous}`);',
    replacement: "db.pragma('synchronous = OFF');",
    wrong: 'No file is flushed, whatever its owner asks for.',
    tests: ['test/adapters/embedded/sqlite/open-database.test.ts'],
  },
  {
    name: 'group-answered-while-it-is-written',
    file: `${embedded}/sqlite/group-commit.ts`,
    text: 'for (const job of group) job.result = job.work();',
    replacement: 'for (const job of group) job.resolve((job.result = job.work()) as never);',
    wrong: 'An append is acknowledged although a later one of its group fails, and all of them are undone.',
    tests: ['test/adapters/embedded/sqlite/group-commit.test.ts'],
  },
  {
    name: 'failed-commit-acknowledged',
    file: `${embedded}/sqlite/group-commit.ts`,
    text: 'for (const job of group) job.reject(reason);',
    replacement: 'for (const job of group) job.resolve(job.result as never);',
    wrong: 'An append is acknowledged although its commit failed.',
    tests: ['test/adapters/embedded/sqlite/group-commit.test.ts'],
  },
  {
    name: 'broken-file-taken-for-a-refused-append',
    file: `${embedded}/sqlite/group-commit.ts`,
    text: 'for (const job of group) job.result = job.work();',
    replacement: `for (const job of group) {
      try {
        job.result = job.work();
      } catch (error) {
        job.reject(error);
      }
    }`,
    wrong: 'Half of an append is committed, and a writer whose file is broken goes on.',
    tests: ['test/adapters/embedded/event-store/failures.test.ts'],
  },
  {
    name: 'expected-version-not-checked',
    file: `${embedded}/event-store/writer.ts`,
    text: 'if (conflict.actualVersion !== expectedVersion) {',
    replacement: 'if (conflict.actualVersion < expectedVersion) {',
    wrong: 'Two writers both decide on the same state of a stream, and both are recorded.',
    tests: [embeddedSuite],
  },
  {
    name: 'embedded-subscription-one-too-far',
    file: `${embedded}/event-store/subscription.ts`,
    text: 'let afterPosition = options.afterPosition;',
    replacement: 'let afterPosition = options.afterPosition + 1;',
    wrong: 'Whoever goes on from its checkpoint misses one event.',
    tests: [embeddedSuite],
  },
  {
    name: 'embedded-batch-without-bound',
    file: `${embedded}/event-store/event-store.ts`,
    text: ' && chars < batchBytesMax',
    replacement: '',
    wrong: 'A thousand events with long texts are held in memory at once.',
    tests: [embeddedSuite],
  },
  {
    name: 'eventstoredb-subscription-one-too-far',
    file: 'src/adapters/eventstoredb/subscription.ts',
    text: 'const source = client.subscribeToAll(',
    replacement: `if (processed > 0) {
      const next = await client.readAll({ fromPosition: logPosition(processed), maxCount: 2 });
      for await (const { event } of next) if (event?.position) processed = Number(event.position.commit);
    }
    const source = client.subscribeToAll(`,
    wrong: 'A subscription that is made anew goes on behind the event that it should have begun with.',
    tests: ['test/adapters/eventstoredb/subscriptions-under-faults.test.ts'],
  },
];
