import type { Mistake } from '../mistake.ts';

const mongodb = 'src/adapters/mongodb/read-models';
const projector = 'src/runtime/projector';
const onMongo = ['test/adapters/mongodb/joint-writes.test.ts'];
const feeding = ['test/runtime/projector/feed-targets.test.ts'];

/** Several read models in one write: all of them or none. */
export const jointWriteMistakes: readonly Mistake[] = [
  {
    name: 'joint-write-goes-on-when-one-is-not-ours',
    file: `${mongodb}/joint-writes.ts`,
    text: 'return moved === writes.length;',
    replacement: 'return moved > 0;',
    wrong: 'A process that lost its lease writes into read models that another feeds.',
    tests: onMongo,
  },
  {
    name: 'joint-write-forgets-what-was-deleted',
    file: `${mongodb}/find-rows.ts`,
    text: 'else tombstones.add(_id);',
    replacement: '',
    wrong: 'Followers hear that a document is gone which has come back.',
    tests: onMongo,
  },
  {
    name: 'joint-write-knows-nothing-of-what-is-stored',
    file: `${mongodb}/find-rows.ts`,
    text: 'if (place % 2 === 0) positions.set(_id, position);',
    replacement: 'if (place % 2 === 0) return [];',
    wrong: 'No document can be written twice.',
    tests: onMongo,
  },
  {
    name: 'refused-joint-write-taken-for-written',
    file: `${projector}/feed-targets.ts`,
    text: '!(await writeTogether(writes))',
    replacement: '(await writeTogether(writes)) === null',
    wrong: 'What could not be written together is never written.',
    tests: feeding,
  },
  {
    name: 'joint-write-of-any-size',
    file: `${projector}/feed-targets.ts`,
    text: 'bytes > batchBytesMax',
    replacement: 'bytes > Number.MAX_SAFE_INTEGER',
    wrong: 'Read models of long texts are held in memory together, and the store refuses them.',
    tests: feeding,
  },
  {
    name: 'read-models-never-written-together',
    file: `${projector}/feed-targets.ts`,
    text: 'if (concerned.length > 0 && (await feedTogether(behind, batch))) return;',
    replacement: '',
    wrong: 'Each read model waits for the disk by itself.',
    tests: feeding,
  },
  {
    name: 'joint-write-not-announced',
    file: `${projector}/announced-writes.ts`,
    text: 'announced(writes, readModels.writeTogether!(writes), (isWritten) => isWritten)',
    replacement: 'readModels.writeTogether!(writes)',
    wrong: 'Answers that are kept stay as they were before the write.',
    tests: ['test/runtime/projector/announced-writes.test.ts'],
  },
  {
    name: 'long-texts-folded-for-all-read-models-at-once',
    file: `${projector}/feed-targets.ts`,
    text: 'roughBytes(events) <= togetherMax.bytes',
    replacement: 'events.length > 0',
    wrong: 'The texts of a batch are held once for each read model, and folded twice.',
    tests: feeding,
  },
  {
    name: 'one-fold-that-fails-stops-all-read-models',
    file: `${projector}/feed-targets.ts`,
    text: 'if (concernsAll(error)) throw error;\n      return false;',
    replacement: 'throw error;',
    wrong: 'One event that one read model cannot take keeps every other one where it is.',
    tests: feeding,
  },
  {
    name: 'transaction-that-a-cut-of-others-met-given-up',
    file: 'src/adapters/mongodb/transaction.ts',
    text: ' || isCut(error));',
    replacement: ');',
    wrong: 'One cut fails every write that was on its way but the first, though none of them was committed.',
    tests: ['test/adapters/mongodb/failures.test.ts'],
    server: 'mongodb',
  },
  {
    name: 'commit-without-an-answer-made-again',
    file: 'src/adapters/mongodb/transaction.ts',
    text: 'error.addErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult);',
    replacement: '',
    wrong: 'What was committed is written a second time, or its writer is told of a conflict with their own write.',
    tests: ['test/adapters/mongodb/failures.test.ts'],
    server: 'mongodb',
  },
  {
    name: 'several-writes-of-a-command-never-cut',
    file: 'src/adapters/mongodb/failures.ts',
    text: 'error.errorResponse instanceof Error ? error.errorResponse : error;',
    replacement: 'error.errorResponse instanceof Error ? error : error;',
    wrong: 'A server that is away is called a mistake of the program where several writes were sent at once.',
    tests: ['test/adapters/mongodb/failures.test.ts'],
    server: 'mongodb',
  },
  {
    name: 'end-of-a-connection-not-told-to-who-writes',
    file: 'src/adapters/mongodb/closed-sockets.ts',
    text: "    this.socket.emit('drain');\n",
    replacement: '',
    wrong:
      'A command that meets the moment in which MongoDB ends its connection waits for ever, and its place in the pool is lost.',
    tests: ['test/adapters/mongodb/failures.test.ts'],
    server: 'mongodb',
  },
  {
    name: 'joint-write-moves-all-to-the-place-of-the-first',
    file: `${mongodb}/joint-writes.ts`,
    text: 'writes.filter((write) => write.position === position).map(',
    replacement: 'writes.filter((write) => write.position >= position).map(',
    wrong: 'A read model counts as having seen less than it has, or more.',
    tests: onMongo,
    server: 'mongodb',
  },
];
