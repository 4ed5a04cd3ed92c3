import type { Mistake } from '../mistake.ts';

const commands = 'src/runtime/commands';
const tests = 'test/runtime/commands';

/** Commands: decided on what is there, stored once, and the same answer to a repeat. */
export const commandMistakes: readonly Mistake[] = [
  {
    name: 'batch-texts-after-their-event',
    file: `${commands}/batch-runner.ts`,
    text: `        await writeTexts(store, stream.bodies, request, stream.recordedAt);
        decided.push(stream);
      }
      position = Math.max(position, highestPosition(decided.map((stream) => stream.loaded)));
      const positions = await appendPieces(store, decided);
`,
    replacement: `        decided.push(stream);
      }
      position = Math.max(position, highestPosition(decided.map((stream) => stream.loaded)));
      const positions = await appendPieces(store, decided);
      for (const { bodies, recordedAt } of decided) await writeTexts(store, bodies, request, recordedAt);
`,
    wrong: 'A crash leaves a release whose text is nowhere.',
    tests: [`${tests}/batch-runner.test.ts`],
  },
  {
    name: 'texts-after-their-event',
    file: `${commands}/command-runner.ts`,
    text: `    await writeTexts(store, decision.bodies ?? [], request, now);
    const claimant = { owner: stream, request, now };
    if (!(await nameClaims.claim(plan, claimant))) return 'again';
    const expectedVersion = loaded.version;
    const events = newEvents(decision.events, { stream, expectedVersion }, request, now);
    const appended = await store.append({ stream, expectedVersion, events });
`,
    replacement: `    const claimant = { owner: stream, request, now };
    if (!(await nameClaims.claim(plan, claimant))) return 'again';
    const expectedVersion = loaded.version;
    const events = newEvents(decision.events, { stream, expectedVersion }, request, now);
    const appended = await store.append({ stream, expectedVersion, events });
    await writeTexts(store, decision.bodies ?? [], request, now);
`,
    wrong: 'A crash leaves an edited release whose text is nowhere.',
    tests: [`${tests}/command-runner.test.ts`],
  },
  {
    name: 'event-id-by-chance',
    file: `${commands}/new-events.ts`,
    text: 'uuidV5(`${stream}@${version}`, commandId);',
    replacement: 'uuidV5(`${stream}@${version}@${Math.random()}`, commandId);',
    wrong: 'An append whose answer was lost is refused when it is sent again, as if another had made it.',
    tests: [`${tests}/new-events.test.ts`],
  },
  {
    name: 'claim-taken-over-without-fence',
    file: `${commands}/name-claims.ts`,
    text: 'if (fence && (await appendOne(fence, fence.event, claimant)) === null) return false;',
    replacement: '',
    wrong: 'The slow creator of an org and the one who took its name over both have it.',
    tests: [`${tests}/name-claims.test.ts`],
  },
  {
    name: 'fresh-claim-taken-over',
    file: `${commands}/name-claims.ts`,
    text: 'const courtesyMs = 60_000;',
    replacement: 'const courtesyMs = 0;',
    wrong: 'Two who create orgs of one name at once abandon each other again and again.',
    tests: [`${tests}/name-claims.test.ts`],
  },
  {
    name: 'snapshot-of-another-fold-used',
    file: `${commands}/stream-snapshot.ts`,
    text: 'JSON.stringify([stream.name, foldVersion, version, position, id, data])',
    replacement: 'JSON.stringify([stream.name, version, position, id, data])',
    wrong: 'Decisions are made on a state that the folds of this code would never come to.',
    tests: [`${tests}/long-streams.test.ts`],
  },
  {
    name: 'snapshot-of-other-events-used',
    file: `${commands}/stream-snapshot.ts`,
    text: 'JSON.stringify([stream.name, foldVersion, version, position, id, data])',
    replacement: 'JSON.stringify([stream.name, foldVersion, version])',
    wrong: 'After a restored backup decisions are made on events that were lost.',
    tests: [`${tests}/long-streams.test.ts`],
  },
  {
    name: 'repeat-behind-a-snapshot-runs-again',
    file: `${commands}/stream-loader.ts`,
    text: 'if (isRepeat) return loadedStream(model, await store.read(stream));',
    replacement: '',
    wrong: 'A repeated command is run a second time when a snapshot lies between.',
    tests: [`${tests}/long-streams.test.ts`],
  },
  {
    name: 'absence-hint-believed-twice',
    file: `${commands}/batch-runner.ts`,
    text: 'hint = undefined; // whoever comes here again was given a wrong one',
    replacement: '',
    wrong: 'A wrong hint keeps a release from ever being stored.',
    tests: [`${tests}/absence-hint.test.ts`],
  },
  {
    name: 'absence-hint-believed-for-texts',
    file: `${commands}/batch-runner.ts`,
    text: 'if (known === undefined && stream.bodies.length > 0)',
    replacement: 'if (known === undefined && stream.bodies.length > 1)',
    wrong: 'The text of a release that was erased is stored again.',
    tests: [`${tests}/absence-hint.test.ts`],
  },
  {
    name: 'absence-hint-believed-for-several-items',
    file: `${commands}/absence-hint.ts`,
    text: 'works.filter(({ items }) => items.length === 1)',
    replacement: 'works.filter(({ items }) => items.length >= 1)',
    wrong: 'A repeat stores nothing of what the first run had not stored yet.',
    tests: [`${tests}/absence-hint.test.ts`],
  },
  {
    name: 'idempotency-key-not-bound-to-the-request',
    file: 'src/records/idempotency-keys.ts',
    text: "if (known.doc.requestHash !== requestHash) throw new DomainError('idempotency_conflict');",
    replacement: '',
    wrong: 'Another request with the same key is answered with what it did not ask for.',
    tests: ['test/records/idempotency-keys.test.ts'],
  },
  {
    name: 'idempotency-key-never-renewed',
    file: 'src/records/idempotency-keys.ts',
    text: 'put({ ...doc, leaseUntilMs: clock.nowMs() + leaseMs }, current);',
    replacement: 'put(doc, current);',
    wrong: 'A repeat runs beside a first request that takes longer than half a minute.',
    tests: ['test/records/idempotency-keys.test.ts'],
  },
  {
    name: 'due-release-announced-twice',
    file: 'commands/release/date-release.ts',
    text: "if (state.status !== 'indexed' || !state.pending) return [];",
    replacement: "if (state.status !== 'indexed') return [];",
    wrong: 'Each look of the minute scheduler announces a release once more.',
    tests: ['test/commands/release/date-release.test.ts'],
  },
  {
    name: 'eraser-checkpoint-before-erasing',
    file: 'src/runtime/jobs/eraser.ts',
    text: '          for (const event of events) {',
    replacement: `          const early: Checkpoint = { id: checkpointId, position };
          await ops.transact([{ kind: 'put', collection: checkpointsDeclaration.name, doc: early }], lease);
          for (const event of events) {`,
    wrong: 'A crash leaves a text on disk for ever whose erasure was promised.',
    tests: ['test/runtime/jobs/eraser.test.ts'],
  },
];
