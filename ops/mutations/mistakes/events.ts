import type { Mistake } from '../mistake.ts';

const embedded = 'src/adapters/embedded';
const eventStoreDb = 'src/adapters/eventstoredb';
const batchCallTests = 'test/adapters/eventstoredb/batch-call.test.ts';
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
    name: 'mark-that-was-undone-not-set-again',
    file: `${embedded}/sqlite/open-database.ts`,
    text: "found === 'nothing' || isUnmarked(db)",
    replacement: "found === 'nothing'",
    wrong: "A file whose maker was killed while it marked it is taken for somebody else's, for ever.",
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
    text: 'const source = startSubscriptionCall(deps, {',
    replacement: `if (processed > 0) {
      const { readEvents } = await import('./read-events.ts');
      const { allRequest } = await import('./wire/read-request.ts');
      const request = allRequest({ from: processed, limit: 2 });
      await readEvents(deps.call, { what: 'read', request, timeoutMs }, (event) => (processed = event.position) > 0);
    }
    const source = startSubscriptionCall(deps, {`,
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
    name: 'eventstoredb-append-acknowledged-when-sent',
    file: `${eventStoreDb}/batch-call.ts`,
    text: 'call.write(bytes);',
    replacement: 'call.write(bytes, () => resolve({ revision: 0, position: 1 }));',
    wrong: 'An append is acknowledged although the server never stored it.',
    tests: [batchCallTests],
  },
  {
    name: 'eventstoredb-waiting-appends-lost-with-their-call',
    file: `${eventStoreDb}/batch-call.ts`,
    text: 'for (const { reject } of left) reject(reason);',
    replacement: '',
    wrong: 'When the server ends the call that carries the appends, whoever waits for an answer waits in vain.',
    tests: [batchCallTests],
  },
  {
    name: 'eventstoredb-call-that-ended-without-an-error-is-kept',
    file: `${eventStoreDb}/batch-call.ts`,
    text: "call.on('end', () => endWith(new BatchCallEnded('the server has ended it')));",
    replacement: '',
    wrong: 'After the server has ended the call that carries the appends, none is answered any more.',
    tests: [batchCallTests],
  },
  {
    name: 'eventstoredb-call-that-answers-nobody-is-kept',
    file: `${eventStoreDb}/batch-call.ts`,
    text: "if (answers === answersBefore) endWith(new BatchCallEnded('no append was answered in time'));",
    replacement: 'void answersBefore;',
    wrong: 'A call that hangs takes every later append in, and none is ever answered.',
    tests: [batchCallTests],
  },
  {
    name: 'eventstoredb-one-late-append-ends-the-call-of-all',
    file: `${eventStoreDb}/batch-call.ts`,
    text: 'if (answers === answersBefore) endWith(',
    replacement: 'if (answers >= answersBefore) endWith(',
    wrong: 'One append that hangs fails its neighbours, which are being answered.',
    tests: [batchCallTests],
  },
  {
    name: 'eventstoredb-node-that-is-not-ready-taken-for-a-refusal',
    file: `${eventStoreDb}/wire/append-failure.ts`,
    text: 'if (isNotHandled(status)) return new UnavailableError(undefined, status.getMessage());',
    replacement: '',
    wrong: 'Appends fail for good while another node becomes the leader.',
    tests: [batchCallTests],
  },
  {
    name: 'eventstoredb-old-connection-decides-what-the-server-offers',
    file: `${eventStoreDb}/append-sender.ts`,
    text: "open.onConnected(() => end('there is a new connection'));",
    replacement: 'open.onConnected(() => {});',
    wrong: 'After an upgrade of the server each append goes on to take a call of its own.',
    tests: [batchCallTests],
  },
  {
    name: 'eventstoredb-appends-at-any-node',
    file: `${eventStoreDb}/append-sender.ts`,
    text: 'open.call(async (connection) => {',
    replacement: 'open.callAnyNode(async (connection) => {',
    wrong: 'After a change of leader every append waits at the old one, which cannot hand it on, and fails.',
    tests: [clusterTests],
  },
  {
    name: 'eventstoredb-plain-appends-at-any-node',
    file: `${eventStoreDb}/append-sender.ts`,
    text: ', requiresLeader: true }',
    replacement: ' }',
    wrong: 'Where batch append is not offered, appends wait at the old leader after a change of it, and fail.',
    tests: [clusterTests],
  },
  {
    name: 'eventstoredb-reads-at-any-node',
    file: `${eventStoreDb}/event-store.ts`,
    text: 'createServerCalls({ call,',
    replacement: 'createServerCalls({ call: open.callAnyNode,',
    wrong: 'A command is decided on an old state of its stream, which a node that is behind has told.',
    tests: [clusterTests],
  },
  {
    name: 'eventstoredb-subscription-stays-with-the-old-leader',
    file: `${eventStoreDb}/subscription-call.ts`,
    text: 'if (movedTo > askedOver) fail(new LeaderChanged());',
    replacement: 'void [movedTo, askedOver, LeaderChanged];',
    wrong: 'Read models and webhooks stand still while the node that has lost the lead is cut off.',
    tests: [clusterTests],
  },
  {
    name: 'eventstoredb-unconfirmed-subscription-stays-with-the-old-leader',
    file: `${eventStoreDb}/subscription-call.ts`,
    text: 'if (movedTo > askedOver) fail(new LeaderChanged());',
    replacement: 'if (movedTo > askedOver && timer._destroyed) fail(new LeaderChanged());',
    wrong: 'A subscription that the old leader confirms only after the move waits there for ever.',
    tests: [clusterTests],
  },
  {
    name: 'eventstoredb-subscription-drops-itself',
    file: `${eventStoreDb}/subscription-call.ts`,
    text: 'if (movedTo > askedOver) fail(new LeaderChanged());',
    replacement: 'if (movedTo >= askedOver) fail(new LeaderChanged());',
    wrong: 'Each subscription that is sent to the leader is dropped once more for having gone there.',
    tests: [clusterTests],
  },
  {
    name: 'eventstoredb-subscription-at-any-node',
    file: `${eventStoreDb}/event-store.ts`,
    text: 'const deps = { call,',
    replacement: 'const deps = { call: open.callAnyNode,',
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
  {
    name: 'event-parsed-by-each-reader',
    file: 'src/kernel/event-codec.ts',
    text: 'from.data ??= from.chain.reduce(',
    replacement: 'from.data = from.chain.reduce(',
    wrong: 'Each read model that an event is handed to parses its text again, and at each look.',
    tests: ['test/kernel/event-codec.test.ts'],
  },
];
