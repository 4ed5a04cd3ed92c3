import type { Mistake } from '../mistake.ts';

const projector = 'src/runtime/projector';
const tests = 'test/runtime/projector';
const embedded = 'src/adapters/embedded/read-models';
const embeddedSuite = 'test/adapters/embedded/read-models/read-models.test.ts';

/** Read models: nobody is shown less than there was, and one process at a time writes. */
export const readModelMistakes: readonly Mistake[] = [
  {
    name: 'rollout-switched-in-parts',
    wrong: 'Of a rollout that two processes fill, each switches its own part, and for a while nobody can serve.',
    file: 'src/runtime/projector/fill-generations.ts',
    text: 'const isComplete = outcomes.length === 0;',
    replacement: "const isComplete = !outcomes.some(({ kind }) => kind === 'failed');",
    tests: ['test/runtime/projector/fill-generations.test.ts'],
  },
  {
    name: 'generation-switched-before-it-caught-up',
    file: `${projector}/fill-generations.ts`,
    text: 'if (lowest() >= head) return;',
    replacement: 'if (lowest() <= head) return;',
    wrong: 'A rebuild takes readers back to the moment before its indexes were built.',
    tests: [`${tests}/fill-generations.test.ts`],
  },
  {
    name: 'pointers-switched-one-by-one',
    file: `${projector}/fill-generations.ts`,
    text: '(await readModels.switchPointers(switches))',
    replacement:
      '(await Promise.all(switches.map((each) => readModels.switchPointers([each])))).every((isDone) => isDone)',
    wrong: 'For a moment a process reads new read models beside old ones.',
    tests: [`${tests}/fill-generations.test.ts`],
  },
  {
    name: 'filling-never-renews-its-leases',
    file: `${projector}/fill-generations.ts`,
    text: 'for (const { held } of begun) await held.renew();',
    replacement: '',
    wrong: 'Two processes fill the same generation when that takes longer than a lease.',
    tests: [`${tests}/fill-generations.test.ts`],
  },
  {
    name: 'pointers-switched-in-part',
    file: `${embedded}/pointers.ts`,
    text: 'switchAll.immediate(switches);',
    replacement: 'for (const each of switches) switchAll.immediate([each]);',
    wrong: 'A switch that is refused has switched those before it.',
    tests: [embeddedSuite],
  },
  {
    name: 'projector-ignores-a-stale-lease',
    file: `${projector}/projection-target.ts`,
    text: "if (outcome === 'stale_lease') throw new LeaseLost(projection.name);",
    replacement: '',
    wrong: 'A projector that was taken over takes what it did not write for written.',
    tests: [`${tests}/projection-target.test.ts`],
  },
  {
    name: 'projector-checkpoint-before-documents',
    file: `${projector}/projection-target.ts`,
    text: 'const outcome = await model.write({ changes, position, lease });',
    replacement: `await model.write({ changes: [], position: position - 1, lease });
    const outcome = await model.write({ changes, position, lease });`,
    wrong: 'A crash between the two loses documents for good.',
    tests: [`${tests}/projection-target.test.ts`],
  },
  {
    name: 'projector-write-without-bound',
    file: `${projector}/projection-target.ts`,
    text: 'if (bytes > writeBytesMax && events.length > 1) return writeHalves(step);',
    replacement: '',
    wrong: 'One transaction holds more than memory or the store takes.',
    tests: [`${tests}/projection-target.test.ts`],
  },
  {
    name: 'failed-target-stays-joined',
    file: `${projector}/feed-targets.ts`,
    text: 'joined.delete(target);',
    replacement: '',
    wrong: 'A read model that failed once is fed the next batch and leaves a hole.',
    tests: [`${tests}/feed-targets.test.ts`],
  },
  {
    name: 'shared-position-moved-after-the-batch',
    file: `${projector}/feed-targets.ts`,
    text: `    sharedTo = batch.position;
    const fed = targets.filter((target) => joined.has(target));
    for (const target of fed) if (target.concerns(batch)) await feed(target, batch);
`,
    replacement: `    const fed = targets.filter((target) => joined.has(target));
    for (const target of fed) if (target.concerns(batch)) await feed(target, batch);
    sharedTo = batch.position;
`,
    wrong: 'A read model that joins while a batch is in hand misses that batch.',
    tests: [`${tests}/feed-targets.test.ts`],
  },
  {
    name: 'wait-for-the-fastest-read-model',
    file: `${projector}/live-read-models.ts`,
    text: 'Math.min(Number.MAX_SAFE_INTEGER, ...checkpoints)',
    replacement: 'Math.max(0, ...checkpoints)',
    wrong: 'A reader who waits for its own write is answered from read models that have not seen it.',
    tests: [`${tests}/live-read-models.test.ts`],
  },
  {
    name: 'leases-never-renewed',
    file: 'src/runtime/resilience/held-leases.ts',
    text: 'await renew();',
    replacement: '',
    wrong: 'Every lease runs out under the work that it guards.',
    tests: ['test/runtime/resilience/held-leases.test.ts'],
  },
  {
    name: 'follower-never-renews-its-leases',
    file: 'src/runtime/resilience/follow-with-lease.ts',
    text: '[work, held.keep]',
    replacement: '[work]',
    wrong: 'Another process takes over the work of one that is well.',
    tests: ['test/runtime/relay/relay-lease.test.ts'],
  },
  {
    name: 'lease-taken-over-with-the-same-epoch',
    file: 'src/adapters/embedded/sqlite/leases.ts',
    text: '(row?.epoch ?? 0) + 1;',
    replacement: '(row?.epoch ?? 1);',
    wrong: 'A holder that comes back under the same name writes with the lease that it had lost.',
    tests: [embeddedSuite],
  },
  {
    name: 'write-without-its-lease',
    file: `${embedded}/writer.ts`,
    text: "if (!leases.isHeld(write.lease)) return 'stale_lease';",
    replacement: '',
    wrong: 'A projector that was taken over still writes.',
    tests: [embeddedSuite],
  },
  {
    name: 'older-document-overwrites-a-newer-one',
    file: `${embedded}/writer.ts`,
    text: 'else if (before.position <= position) update.run(',
    replacement: 'else update.run(',
    wrong: 'What comes late takes a document back to what it was.',
    tests: [embeddedSuite],
  },
  {
    name: 'deleted-document-not-remembered',
    file: `${embedded}/writer.ts`,
    text: 'remember.run(id, position);',
    replacement: '',
    wrong: 'A catalogue that follows keeps what was deleted.',
    tests: [embeddedSuite],
  },
  {
    name: 'catalogue-takes-its-position-after-the-scan',
    file: 'src/catalogue/follower.ts',
    text: "seen = { position, id: '' };",
    replacement: "seen = { position: Math.max(position, await model.checkpoint()), id: '' };",
    wrong: 'What is written while a catalogue loads is missing in it for good.',
    tests: ['test/catalogue/follower.test.ts'],
  },
  {
    name: 'refresh-answered-by-an-older-run',
    file: 'src/concurrency/single-flight.ts',
    text: `    waiting = undefined;
    return run();`,
    replacement: `    return run().finally(() => {
      waiting = undefined;
    });`,
    wrong: 'Who asks for a refresh after a write is shown what was there before it.',
    tests: ['test/concurrency/single-flight.test.ts'],
  },
];
