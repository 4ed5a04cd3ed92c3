import type { Mistake } from '../mistake.ts';

const purging = 'src/runtime/jobs/purging';
const rounds = 'test/runtime/jobs/purging/purge-round.test.ts';

/** What is deleted for good: nothing of it is left, whoever was killed or came too late. */
export const purgeMistakes: readonly Mistake[] = [
  {
    name: 'purge-ends-before-the-feed-has-seen-all',
    file: `${purging}/purge-step.ts`,
    text: '  if (isBeginning) await deps.passed(walk.reads, Math.max(deletion.position, job.position));\n',
    replacement: '',
    wrong: 'Releases that a slow projector had not shown yet stay for ever, without a source.',
    tests: [rounds],
  },
  {
    name: 'purge-completed-before-the-read-models-are-scrubbed',
    file: `${purging}/purge-round.ts`,
    text: '    await deps.scrub(Math.max(...all.map(({ finished }) => finished.position)));\n',
    replacement: '',
    wrong: 'Text that was promised to be gone is found in the log of a read model.',
    tests: [rounds],
  },
  {
    name: 'purge-completed-before-the-texts-are-erased',
    file: `${purging}/finish-purge.ts`,
    text: '    await deps.erased(erasedPosition);\n',
    replacement: '    void erasedPosition;\n',
    wrong: 'A purge is shown as done while the eraser cannot go on.',
    tests: [rounds],
  },
  {
    name: 'purge-waits-for-an-eraser-that-has-nothing-to-do',
    file: `${purging}/purge-step.ts`,
    text: '...(walk.isErasing && { erasedPosition: position }),',
    replacement: 'erasedPosition: position,',
    wrong: 'A source with a summary is never purged while nothing else is written.',
    tests: ['test/runtime/jobs/purging/purge-of-summaries.test.ts'],
  },
  {
    name: 'purged-stream-truncated-to-its-end',
    file: `${purging}/finish-purge.ts`,
    text: 'await store.truncate(stream, purged.version);',
    replacement: 'await store.truncate(stream, purged.version + 1);',
    wrong: 'A rebuild does not know any more what was purged, and what came too late stays for ever.',
    tests: [rounds],
  },
  {
    name: 'names-of-a-killed-purge-stay-claimed',
    file: `${purging}/finish-purge.ts`,
    text: '  await freeNames(store, stream, events, purged.metadata);\n',
    replacement: '  void [freeNames, events];\n',
    wrong: 'Whoever takes the name later writes it into the stream of what is purged.',
    tests: [rounds],
  },
  {
    name: 'purged-id-comes-back',
    file: 'src/runtime/commands/loaded-stream.ts',
    text: 'isStillborn || events.some(({ type }) => purgedTypes.has(type))',
    replacement: 'isStillborn && events.every(({ type }) => !purgedTypes.has(type))',
    wrong: 'A create that is repeated brings a purged entity back to life.',
    tests: [rounds],
  },
  {
    name: 'late-release-below-a-purged-source-stays',
    file: 'projections/deletions/deletions.ts',
    text: "if (parentId === null || docs.get(parentId)?.state !== 'purged') return [];",
    replacement: 'if (parentId === null || docs.get(parentId)?.dueMs !== 0) return [];',
    wrong: 'What a slow writer stores after the end of a purge is left for ever.',
    tests: [rounds],
  },
  {
    name: 'one-stuck-purge-stops-all',
    file: `${purging}/purge-round.ts`,
    text: '      await putOff(work, error);\n      return null;',
    replacement: '      await putOff(work, error);\n      throw error;',
    wrong: 'A damaged stream keeps everything else from being purged.',
    tests: [rounds],
  },
  {
    name: 'purge-leaves-texts-of-its-source',
    file: 'src/runtime/jobs/purging/finish-purge.ts',
    text: '    highest = Math.max(highest, await removeChangelog(store, id, purged.metadata));\n',
    replacement: '',
    wrong: 'Changelog files of a source that is gone for good stay in the store.',
    tests: ['test/http/purges.test.ts'],
  },
  {
    name: 'kept-answer-tells-of-a-purged-member',
    file: 'src/http/routes/written-collection.ts',
    text: 'releaseIds: members.map(({ member }) => member.id), body',
    replacement: 'releaseIds: members.slice(0, 0).map(({ member }) => member.id), body',
    wrong: 'A repeat is answered with the name, domain and description of an org that is gone for good.',
    tests: ['test/http/purges.test.ts'],
  },
  {
    name: 'changelog-removed-before-its-texts',
    file: 'src/runtime/jobs/purging/remove-source-texts.ts',
    text: 'const bodies = await textsOf(store, sourceId, events);',
    replacement:
      "const bodies = events.at(-1)?.type === 'ChangelogRemoved.v1' ? await textsOf(store, sourceId, events) : [];",
    wrong: 'When the files are forgotten nobody knows any more where their texts lie.',
    tests: ['test/runtime/jobs/purging/purge-round.test.ts'],
  },
];
