import type { Mistake } from '../mistake.ts';

const fetching = 'test/runtime/fetching/fetch-source.test.ts';
const schedule = 'test/runtime/fetching/schedule.test.ts';
const outcomes = 'src/records/fetching/fetch-outcomes.ts';
const turns = 'src/records/fetching/fetch-turns.ts';

/** Fetching: one at a time, done to the end, as often as it should be. */
export const fetchingMistakes: readonly Mistake[] = [
  {
    name: 'fetch-ended-before-stored',
    file: 'src/use-cases/fetching/fetch-source.ts',
    text: '  const { results, position } = await takeIn(services, intake);',
    replacement: `  await endFetch(services, run, {
    status: 'no_change', error: null, isClientError: false, retryAfterMs: null, stars: null,
    memory: fetched.memory, found: 0, results: [], position: 0,
  });
  const { results, position } = await takeIn(services, intake);`,
    wrong: 'A kill between the two loses what was found: the third party says that nothing is new since then.',
    tests: [fetching],
  },
  {
    name: 'fetch-end-without-claim',
    file: outcomes,
    text: 'if (turn?.doc.claim?.id !== claimId) return { answer: null, changes: [] };',
    replacement: 'if (turn === null) return { answer: null, changes: [] };',
    wrong: 'Who has lost a source writes its old memory over that of who has fetched it since.',
    tests: [fetching],
  },
  {
    name: 'fetch-taken-over-while-running',
    file: 'src/use-cases/fetching/fetch-source.ts',
    text: '[keepRenewing({ ttlMs: turnTtlMs, clock }, renew), work]',
    replacement: '[keepRenewing({ ttlMs: 1_000 * turnTtlMs, clock }, renew), work]',
    wrong: 'A fetch whose storing takes long is begun by another process beside it.',
    tests: [schedule],
  },
  {
    name: 'fetch-stored-after-loss',
    file: 'src/use-cases/fetching/take-in.ts',
    text: `    await intake.stillHeld();
    const ingested`,
    replacement: '    const ingested',
    wrong: 'A process that was stopped for a while stores what a third party told long ago over what it tells now.',
    tests: [schedule],
  },
  {
    name: 'fetch-claim-over-others',
    file: turns,
    text: 'return (await putClaimed({ ...doc, claim: claimOf(taken) }, revision)) ? taken : null;',
    replacement: `const now = await turns.get(doc.id);
      return (await putClaimed({ ...doc, claim: claimOf(taken) }, now?.revision ?? revision)) ? taken : null;`,
    wrong: 'Two processes that find the same source due fetch it both.',
    tests: [schedule],
  },
  {
    name: 'fetch-jitter-below-retry-after',
    file: 'src/ingest/fetch-delay.ts',
    text: 'return Math.max(delayMs, Math.min(retryAfterMs, longestMs));',
    replacement: 'return Math.max(plainMs, Math.min(retryAfterMs, longestMs)) * (1 - jitter + 2 * jitter * fraction);',
    wrong: 'A third party that asks for an hour of patience is asked again before it is over.',
    tests: ['test/runtime/fetching/ninety-days.test.ts'],
  },
  {
    name: 'fetch-first-announces-all',
    file: 'src/use-cases/fetching/fetch-source.ts',
    text: 'const isFirst = known === null || standing.state.changeDetectedAt === null;',
    replacement: 'const isFirst = standing.state.lastPolledAt === "";',
    wrong: 'Adding a source tells every webhook of all the releases that it ever had.',
    tests: [fetching],
  },
  {
    name: 'fetch-after-lookup-announces-all',
    file: 'src/use-cases/fetching/fetch-source.ts',
    text: 'const isFirst = known === null || standing.state.changeDetectedAt === null;',
    replacement: 'const isFirst = standing.state.changeDetectedAt === null;',
    wrong: 'The first fetch of a source that a lookup made tells every webhook of all its old releases.',
    tests: [fetching],
  },
  {
    name: 'fetch-paused-again-at-once',
    file: outcomes,
    text: 'nextFetchAfter: toTimestamp(firstMs), consecutiveErrors: 0 }',
    replacement: 'nextFetchAfter: toTimestamp(firstMs) }',
    wrong: 'A source that somebody has fetched again after its pause is paused by the failures of before.',
    tests: [fetching],
  },
  {
    name: 'fetch-own-pause-booked',
    file: 'src/ingest/fetch-failed.ts',
    text: "reason === 'limited' && status === null",
    replacement: "reason === 'limited' && status === 0",
    wrong: 'While GitHub lets us ask for nothing, each of its sources is booked as failed, and paused in the end.',
    tests: [fetching],
  },
  {
    name: 'fetch-full-host-not-passed-over',
    file: 'src/runtime/fetching/fetch-rounds.ts',
    text: 'due = await turns.due(lane, pageSize, last);',
    replacement: 'due = [];',
    wrong: 'One host that hangs, with more sources than a process fetches at once, holds up all others.',
    tests: [schedule],
  },
  {
    name: 'fetch-half-the-pages-for-ever',
    file: 'src/ingest/github/read-releases.ts',
    text: 'older: [unreadPages], seen: { perPage, etag: null, newestTag: null }',
    replacement: 'older: [unreadPages], seen: { perPage, etag, newestTag }',
    wrong: 'Of a repository that was slow once the older releases are never read.',
    tests: ['test/ingest/github-source-fetcher.test.ts'],
  },
  {
    name: 'fetch-of-the-dead-never-due',
    file: outcomes,
    text: '...freeTurn(turn), ...(claim !== null && { claim, dueMs })',
    replacement: '...(claim === null ? freeTurn(turn) : turn)',
    wrong: 'A source that was taken by a process that died, and is no longer paused, is never fetched again.',
    tests: [fetching],
  },
  {
    name: 'fetch-overwrites-edits',
    file: 'commands/release/ingest-releases.ts',
    text: 'const told = batch.keepsEdits ? withoutEdited(sent, state.edits, id) : sent;',
    replacement:
      'const told = batch.keepsEdits && withoutEdited === undefined ? withoutEdited(sent, state.edits, id) : sent;',
    wrong: 'What somebody has corrected by hand is gone with the next fetch.',
    tests: [fetching],
  },
  {
    name: 'fetch-forgets-that-an-edit-was-met',
    file: 'commands/release/ingest-releases.ts',
    text: 'events: [...revised.events, ...confirmed],',
    replacement: 'events: revised.events.length === 0 ? [] : [...revised.events, ...confirmed].slice(0, 1),',
    wrong: 'A source that once told what somebody had edited is not believed when it goes back to what it told before.',
    tests: [fetching],
  },
  {
    name: 'stale-changelog-read-refreshes-nothing',
    file: 'src/http/routes/changelogs.ts',
    text: '      refreshChangelog(services, source, { fetchedAt: body.fetchedAt, nowMs, fetchStates });',
    replacement:
      '      if (nowMs < 0) refreshChangelog(services, source, { fetchedAt: body.fetchedAt, nowMs, fetchStates });',
    wrong: 'Who reads a changelog that nobody has looked after for days reads the same old one the next day.',
    tests: ['test/http/fetches.test.ts'],
  },
  {
    name: 'fetch-nearly-lost-stored-all-the-same',
    file: turns,
    text: '> turnTtlMs / 2 || keep(taken)',
    replacement: '> turnTtlMs / 2 || true',
    wrong: 'A source whose turn is over while its releases are stored is fetched by another process beside it.',
    tests: [schedule],
  },
  {
    name: 'fetch-turn-written-for-each-step',
    file: 'src/use-cases/fetching/fetch-source.ts',
    text: '(await turns.holds(taken))',
    replacement: '(await turns.keep(taken))',
    wrong: 'Each fetch waits for the disk once more, and ten thousand that are due at once take that much longer.',
    tests: [schedule],
  },
  {
    name: 'fetch-counts-releases-among-those-of-others',
    file: 'src/catalogue/instants/stored-instants.ts',
    text: 'const rowsAtFirst = 4;',
    replacement: 'const rowsAtFirst = 200;',
    wrong: 'Each fetch reads a page of what belongs to other sources, which is a fifth of what it costs.',
    tests: ['test/catalogue/instants/stored-instants.test.ts'],
  },
  {
    name: 'fetched-releases-stored-one-source-at-a-time',
    file: 'src/runtime/commands/gathered-appends.ts',
    text: ', () => clock.sleep(withinMs));',
    replacement: ');',
    wrong: 'Every read model, the search index and the relay write for each of ten thousand fetches by itself.',
    tests: ['test/runtime/commands/gathered-appends.test.ts'],
  },
  {
    name: 'gathered-appends-in-one-piece',
    file: 'src/runtime/commands/gathered-appends.ts',
    text: 'for (const turn of appendTurns(appends)) outcomes.push(...(await store.appendMany(turn)));',
    replacement: 'outcomes.push(...(await store.appendMany(appends)));',
    wrong: 'Whoever sends a release waits while the texts of hundreds of fetched ones are written.',
    tests: ['test/runtime/commands/gathered-appends.test.ts'],
  },
  {
    name: 'fetch-refused-without-its-limit',
    file: 'src/use-cases/fetching/ask-for-fetch.ts',
    text: "policy: 'fetch', limit: 1, windowSeconds, retryAfterSeconds",
    replacement: 'retryAfterSeconds',
    wrong: 'A client that paces itself by what it is told of a limit is told nothing of this one.',
    tests: ['test/http/fetches.test.ts'],
  },
];
