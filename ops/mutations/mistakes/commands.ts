import type { Mistake } from '../mistake.ts';

const commands = 'src/runtime/commands';
const tests = 'test/runtime/commands';

/** Commands: decided on what is there, stored once, and the same answer to a repeat. */
export const commandMistakes: readonly Mistake[] = [
  {
    name: 'batch-texts-after-their-event',
    file: `${commands}/batch-runner.ts`,
    text: `        if (await writeTexts(store, texts, request, stream.recordedAt)) decided.push(stream);
        else moved.push(work);
      }
      position = Math.max(position, highestPosition(decided.map((stream) => stream.loaded)));
      const positions = await appendPieces(store, decided);
`,
    replacement: `        decided.push(stream);
        void texts;
      }
      position = Math.max(position, highestPosition(decided.map((stream) => stream.loaded)));
      const positions = await appendPieces(store, decided);
      for (const { work, loaded, bodies, recordedAt } of decided) {
        const version = loaded.version + 1;
        await writeTexts(store, { owner: work.stream, version, bodies }, request, recordedAt);
      }
`,
    wrong: 'A crash leaves a release whose text is nowhere.',
    tests: [`${tests}/batch-runner.test.ts`],
  },
  {
    name: 'texts-after-their-event',
    file: `${commands}/command-runner.ts`,
    text: `    if (!(await writeTexts(store, texts, request, now))) return 'again';
    const claimant = { owner: stream, request, now };
    if (!(await nameClaims.claim(plan, loaded, claimant))) return 'again';
    const expectedVersion = loaded.version;
    const events = newEvents(decision.events, { stream, expectedVersion }, request, now);
    const appended = await store.append({ stream, expectedVersion, events });
`,
    replacement: `    const claimant = { owner: stream, request, now };
    if (!(await nameClaims.claim(plan, loaded, claimant))) return 'again';
    const expectedVersion = loaded.version;
    const events = newEvents(decision.events, { stream, expectedVersion }, request, now);
    const appended = await store.append({ stream, expectedVersion, events });
    await writeTexts(store, { ...texts, version: expectedVersion + events.length }, request, now);
`,
    wrong: 'A crash leaves an edited release whose text is nowhere.',
    tests: [`${tests}/command-runner.test.ts`],
  },
  {
    name: 'event-id-by-chance',
    file: `${commands}/new-events.ts`,
    text: 'uuidV5(`${stream}@${version} ${type}`, commandId);',
    replacement: 'uuidV5(`${stream}@${version} ${type} ${Math.random()}`, commandId);',
    wrong: 'An append whose answer was lost is refused when it is sent again, as if another had made it.',
    tests: [`${tests}/new-events.test.ts`],
  },
  {
    name: 'claim-taken-over-without-fence',
    file: `${commands}/name-claims.ts`,
    text: 'const isFree = fence === null || (await appendAt(fence, [fence.event], claimant)) !== null;',
    replacement: 'const isFree = true;\n        void fence;',
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
    tests: [`${tests}/spoiled-snapshots.test.ts`],
  },
  {
    name: 'snapshot-of-other-events-used',
    file: `${commands}/stream-snapshot.ts`,
    text: 'JSON.stringify([stream.name, foldVersion, version, position, id, data])',
    replacement: 'JSON.stringify([stream.name, foldVersion, version])',
    wrong: 'After a restored backup decisions are made on events that were lost.',
    tests: [`${tests}/spoiled-snapshots.test.ts`],
  },
  {
    name: 'repeat-behind-a-snapshot-runs-again',
    file: `${commands}/stream-loader.ts`,
    text: 'if (isRepeat) return loadWhole(request, commandId);',
    replacement: '',
    wrong: 'A repeated command is run a second time when a snapshot lies between.',
    tests: [`${tests}/repeats-in-long-streams.test.ts`],
  },
  {
    name: 'absence-hint-not-given-to-requests',
    file: 'src/compose/registry.ts',
    text: 'createBatchRunner({ ...deciding, hint })',
    replacement: 'createBatchRunner({ ...deciding, hint: hint && undefined })',
    wrong: 'Each new release that is sent costs a call to EventStoreDB that finds nothing.',
    tests: ['test/http/calls-to-eventstoredb.test.ts'],
  },
  {
    name: 'absence-hint-not-given-to-fetches',
    file: 'src/compose/threads/fetching-worker.ts',
    text: 'createBatchRunner({ ...deciding, store: fetched, hint })',
    replacement: 'createBatchRunner({ ...deciding, store: fetched, hint: hint && undefined })',
    wrong: 'Each new release that is fetched costs a call to EventStoreDB that finds nothing.',
    tests: ['test/http/calls-to-eventstoredb.test.ts'],
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
    text: 'const isUnproven = stream.bodies.length > 0 ||',
    replacement: 'const isUnproven = stream.bodies.length > 1 ||',
    wrong: 'The text of a release that was erased is stored again.',
    tests: [`${tests}/absence-hint.test.ts`],
  },
  {
    name: 'absence-hint-believed-where-nothing-is-stored',
    file: `${commands}/batch-runner.ts`,
    text: 'stream.bodies.length > 0 || stream.appends.length === 0;',
    replacement: 'stream.bodies.length > 0;',
    wrong: 'A release that was just sent cannot be taken down.',
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
    text: "if (doc.requestHash !== requestHash) throw new DomainError('idempotency_conflict');",
    replacement: '',
    wrong: 'Another request with the same key is answered with what it did not ask for.',
    tests: ['test/records/idempotency-keys.test.ts'],
  },
  {
    name: 'claim-holder-silent-while-it-works',
    file: 'src/records/claim-holder.ts',
    text: 'while (held.size > 0) {',
    replacement: 'while (held.size > 1_000) {',
    wrong: 'A repeat in another process runs beside a first request that takes longer than a second.',
    tests: ['test/records/idempotency-keys.test.ts'],
  },
  {
    name: 'claims-of-a-process-not-counted',
    file: 'src/records/claim-holder.ts',
    text: 'if (holding === 0) held.delete(claimId);',
    replacement: 'if (step === -1) held.delete(claimId);',
    wrong: 'A repeat that came a moment too late makes the key free while the first request runs.',
    tests: ['test/records/idempotency-keys.test.ts'],
  },
  {
    name: 'slow-request-answers-beside-its-successor',
    file: 'src/records/idempotency-keys.ts',
    text: "if (outcome === 'written') return null;",
    replacement: "if (outcome !== 'stale_lease') return null;",
    wrong: 'A request that was taken for dead and the one that took over give two answers to one key.',
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
    text: '      const erasedTo = await telling(() => truncateTexts(deps, erasures));',
    replacement:
      '      await save({ position });\n      const erasedTo = await telling(() => truncateTexts(deps, erasures));',
    wrong: 'A crash leaves a text on disk for ever whose erasure was promised.',
    tests: ['test/runtime/jobs/eraser.test.ts'],
  },
  {
    name: 'text-written-without-a-record',
    file: `${commands}/write-texts.ts`,
    text: '  for (const { stream } of unwritten) await beginText(store, stream, request, now);\n',
    replacement: `  void beginText;
`,
    wrong: 'The text of a writer that died outlives the erasure of its release.',
    tests: ['test/runtime/jobs/eraser.test.ts'],
  },
  {
    name: 'owner-looked-at-before-the-record',
    file: `${commands}/write-texts.ts`,
    text: `  for (const { stream } of unwritten) await beginText(store, stream, request, now);
  // Whoever erases the owner from here on finds what was begun.
  if ((await lastOf(store, owner)).version !== version) return false;
`,
    replacement: `  if ((await lastOf(store, owner)).version !== version) return false;
  for (const { stream } of unwritten) await beginText(store, stream, request, now);
`,
    wrong: 'An erasure between the two does not find the text that is written then.',
    tests: ['test/runtime/jobs/eraser.test.ts'],
  },
  {
    name: 'empty-body-not-marked-as-erased',
    file: 'src/runtime/jobs/end-streams.ts',
    text: `      } else open.push({ end, expectedVersion: version });`,
    replacement: `      } else if (version > 0) open.push({ end, expectedVersion: version });`,
    wrong: 'Whoever has begun a text and not written any of it writes it after the erasure.',
    tests: ['test/runtime/jobs/eraser.test.ts'],
  },
  {
    name: 'answers-kept-after-the-erasure',
    file: 'src/runtime/jobs/eraser.ts',
    text: '  await forgetAnswers(\n    ops,\n',
    replacement: '  void ((...given: Parameters<typeof forgetAnswers>) => given)(\n    ops,\n',
    wrong: 'A repeated request is answered with the text of a release that was erased.',
    tests: ['test/runtime/jobs/eraser.test.ts'],
  },
  {
    name: 'claim-left-held-after-an-outage',
    file: 'src/records/idempotency-keys.ts',
    text: `        .catch((error: unknown) => {
          void giveFree(doc);
          throw error;
        })
`,
    replacement: '',
    wrong: 'A repeat at another process is refused for as long as the first one is busy with whatever else.',
    tests: ['test/records/idempotency-keys.test.ts'],
  },
  {
    name: 'claim-of-a-repeat-given-free',
    file: 'src/records/idempotency-keys.ts',
    text: 'stored.doc.attempt !== attempt || ',
    replacement: '',
    wrong: 'A try that never began takes the claim of its repeat, which then runs as two commands.',
    tests: ['test/records/idempotency-keys.test.ts'],
  },
  {
    name: 'token-text-made-anew-by-a-repeat',
    file: 'src/http/routes/tokens.ts',
    text: 'isRepeatable ? newSecrets.make(command.commandId, create) : create()',
    replacement: '[isRepeatable, newSecrets].length === 0 ? "" : create()',
    wrong: 'A repeat after a crash issues a second token, and nobody knows the text of the first.',
    tests: ['test/http/tokens-killed.test.ts'],
  },
  {
    name: 'generation-dropped-that-became-live-again',
    file: 'src/runtime/projector/retire-generations.ts',
    text: 'if ((await readModels.pointers())[name] !== generation) await readModels.drop(name, generation);',
    replacement: 'await readModels.drop(name, generation);',
    wrong: 'The live read model is deleted and found empty.',
    tests: ['test/runtime/projector/retire-generations.test.ts'],
  },
  {
    name: 'claims-kept-after-a-lost-race',
    file: `${commands}/name-claims.ts`,
    text: '          await giveBack(claimed, owner, claimant);\n',
    replacement: '',
    wrong: 'Who lost the race for a domain finds its own slug taken for a minute, by nobody.',
    tests: [`${tests}/name-claims.test.ts`],
  },
  {
    name: 'claims-given-back-without-a-fence',
    file: `${commands}/name-claims.ts`,
    text: 'if ((await appendAt(fence, owner.version === 0 ? [abandoned] : forfeited, claimant)) === null) return;',
    replacement: 'void [fence, abandoned, forfeited];',
    wrong: 'Another change of the same org that is just behind makes it hold a name that is free to others.',
    tests: [`${tests}/name-claims.test.ts`],
  },
  {
    name: 'fence-taken-for-what-it-fences',
    file: `${commands}/new-events.ts`,
    text: 'uuidV5(`${stream}@${version} ${type}`, commandId);',
    replacement: "uuidV5(`${stream}@${version} ${type}`.split(' ')[0]!, commandId);",
    wrong: 'Of one command in two processes, one gives the names back that the other one has made an org of.',
    tests: [`${tests}/name-claims.test.ts`],
  },
  {
    name: 'command-answered-by-what-it-gave-back',
    file: `${commands}/command-runner.ts`,
    text: "metadata.commandId === commandId && type !== 'ClaimForfeited.v1';",
    replacement: "metadata.commandId === commandId && type !== '';",
    wrong: 'A change that lost a race is answered as if it had been made.',
    tests: [`${tests}/name-claims.test.ts`],
  },
  {
    name: 'tag-id-of-its-command',
    file: 'commands/tag/create-tag.ts',
    text: "newId('tag', tagKeyOf(name))",
    replacement: "newId('tag')",
    wrong: 'Two who create the same tag at once make two of it.',
    tests: [`${tests}/name-claims.test.ts`],
  },
  {
    name: 'keyed-entity-created-behind-its-fence',
    file: `${commands}/command-runner.ts`,
    text: '          isNew = true;',
    replacement: '          isNew = key === request.commandId;',
    wrong: 'A tag that was fenced is created nevertheless, and whoever wants its slug takes it from under it.',
    tests: [`${tests}/name-claims.test.ts`],
  },
  {
    name: 'every-candidate-of-a-name-read',
    file: 'src/runtime/commands/name-claims.ts',
    text: 'candidates.slice(0, 1)',
    replacement: 'candidates',
    wrong: 'To create an org whose name is free reads twenty streams.',
    tests: ['test/runtime/commands/names-read.test.ts'],
  },
  {
    name: 'primary-source-of-a-deleted-product',
    file: 'commands/source/change-source.ts',
    text: "isPrimary && product !== undefined && product.lifecycle !== 'live'\n",
    replacement: "isPrimary && product !== undefined && product.lifecycle === 'absent'\n",
    wrong: 'A source whose product was deleted can never be made the primary one of its org.',
    tests: ['test/commands/source/change-source.test.ts'],
  },
  {
    name: 'primary-source-asked-for-in-a-product-that-is-gone',
    file: 'projections/source/source.ts',
    text: 'isPrimaryWithoutProduct ? null : next.productId',
    replacement: 'next.productId',
    wrong: 'It is answered 200, recorded, and shown nowhere: another source stays the primary one.',
    tests: ['test/projections/entities.test.ts'],
  },
];
