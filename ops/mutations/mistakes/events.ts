import type { Mistake } from '../mistake.ts';

const embedded = 'src/adapters/embedded';
const eventStoreDb = 'src/adapters/eventstoredb';
const clusterTests = 'test/adapters/eventstoredb/cluster.test.ts';
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
    file: `${eventStoreDb}/subscription.ts`,
    text: 'const source = client.subscribeToAll(',
    replacement: `if (processed > 0) {
      const next = await client.readAll({ fromPosition: logPosition(processed), maxCount: 2 });
      for await (const { event } of next) if (event?.position) processed = Number(event.position.commit);
    }
    const source = client.subscribeToAll(`,
    wrong: 'A subscription that is made anew goes on behind the event that it should have begun with.',
    tests: ['test/adapters/eventstoredb/subscriptions-under-faults.test.ts'],
  },
  {
    name: 'eventstoredb-append-tried-twice-only',
    file: `${eventStoreDb}/server-calls.ts`,
    text: 'const appendTriesMax = 3;',
    replacement: 'const appendTriesMax = 2;',
    wrong:
      'An append is told as failed although it is stored: the server drops its repeat while the first is in flight.',
    tests: ['test/adapters/eventstoredb/appends-under-faults.test.ts'],
  },
  {
    name: 'eventstoredb-appends-at-any-node',
    file: `${eventStoreDb}/append-sender.ts`,
    text: `        requiresLeader: true,
`,
    replacement: '',
    wrong: 'After a change of leader every append waits at the old one, which cannot hand it on, and fails.',
    tests: [clusterTests],
  },
  {
    name: 'eventstoredb-streams-read-at-any-node',
    file: `${eventStoreDb}/server-calls.ts`,
    text: '{ ...options, requiresLeader: true }',
    replacement: 'options',
    wrong: 'A command is decided on an old state of its stream, which a node that is behind has told.',
    tests: [clusterTests],
  },
  {
    name: 'eventstoredb-log-read-at-any-node',
    file: `${eventStoreDb}/all-events.ts`,
    text: '          requiresLeader: true, //',
    replacement: '          //',
    wrong: 'Whoever reads up to the head waits for a node that is behind.',
    tests: [clusterTests],
  },
  {
    name: 'eventstoredb-head-of-any-node',
    file: `${eventStoreDb}/all-events.ts`,
    text: 'maxCount, requiresLeader: true }',
    replacement: 'maxCount }',
    wrong: 'A read model is taken for complete although acknowledged events are missing.',
    tests: [clusterTests],
  },
  {
    name: 'eventstoredb-subscription-stays-with-the-old-leader',
    file: `${eventStoreDb}/subscription-signals.ts`,
    text: 'if (movedTo > connection) fail(new LeaderChanged());',
    replacement: 'void [movedTo, connection, LeaderChanged];',
    wrong: 'Read models and webhooks stand still while the node that has lost the lead is cut off.',
    tests: [clusterTests],
  },
  {
    name: 'eventstoredb-unconfirmed-subscription-stays-with-the-old-leader',
    file: `${eventStoreDb}/subscription-signals.ts`,
    text: 'if (movedTo > connection) fail(new LeaderChanged());',
    replacement: 'if (movedTo > connection && source.id !== undefined) fail(new LeaderChanged());',
    wrong: 'A subscription that the old leader confirms only after the move waits there for ever.',
    tests: [clusterTests],
  },
  {
    name: 'eventstoredb-subscription-drops-itself',
    file: `${eventStoreDb}/subscription-signals.ts`,
    text: 'if (movedTo > connection) fail(new LeaderChanged());',
    replacement: 'if (movedTo >= connection) fail(new LeaderChanged());',
    wrong: 'Each subscription that is sent to the leader is dropped once more for having gone there.',
    tests: [clusterTests],
  },
  {
    name: 'eventstoredb-subscription-at-any-node',
    file: `${eventStoreDb}/subscription.ts`,
    text: '        requiresLeader: true, //',
    replacement: '        //',
    wrong: 'A subscription that is made anew begins at a node that is cut off, and nothing comes.',
    tests: [clusterTests],
  },
  {
    name: 'eventstoredb-leader-not-watched',
    file: `${eventStoreDb}/event-store.ts`,
    text: 'if (isCluster && subscriptions.size > 0)',
    replacement: 'if (isCluster && timeoutMs === 0)',
    wrong: 'A process that only follows never hears of a new leader.',
    tests: [clusterTests],
  },
  {
    name: 'eventstoredb-leader-not-watched-behind-one-address',
    file: `${eventStoreDb}/event-store.ts`,
    text: '    isCluster = true;\n',
    replacement: '',
    wrong: 'A process whose address names one node, and that only follows, never hears of a new leader.',
    tests: [clusterTests],
  },
  {
    name: 'eventstoredb-refused-password-taken-for-an-outage',
    file: `${eventStoreDb}/failure-kind.ts`,
    text: "'access-denied': 'refused',",
    replacement: "'access-denied': 'unreachable',",
    wrong: 'A start with a wrong password waits for a server that is there, and never says why.',
    tests: ['test/adapters/eventstoredb/tls.test.ts'],
  },
  {
    name: 'rights-after-the-log',
    file: 'src/adapters/embedded/sqlite/open-database.ts',
    text: `    if (found === 'nothing') chmodSync(file, ownerOnly);
    configure(db, options, found);
`,
    replacement: `    configure(db, options, found);
    if (found === 'nothing') chmodSync(file, ownerOnly);
`,
    wrong: 'The log beside a new file, which holds the same data, can be read by everybody.',
    tests: ['test/adapters/embedded/sqlite/open-database.test.ts'],
  },
];
