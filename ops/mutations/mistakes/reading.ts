import type { Mistake } from '../mistake.ts';

/** What readers are shown, and who is let in. */
export const readingMistakes: readonly Mistake[] = [
  {
    name: 'cursor-of-another-feed-accepted',
    file: 'src/kernel/paging/cursor.ts',
    text: 'if (cursor === null || cursor[1] !== scopeHash(scope))',
    replacement: 'if (cursor === null)',
    wrong: 'A page of one feed is continued in another, and releases are left out unseen.',
    tests: ['test/kernel/paging/cursor.test.ts'],
  },
  {
    name: 'release-visible-a-minute-too-early',
    file: 'src/domain/release/visible.ts',
    text: 'const aheadMs = 60_000;',
    replacement: 'const aheadMs = 120_000;',
    wrong: 'A release is shown before its time.',
    tests: ['test/domain/release/visible.test.ts'],
  },
  {
    name: 'numbers-of-an-org-kept-after-a-release',
    file: 'src/catalogue/lists/listings.ts',
    text: '    orgIds.forEach(orgInstants.forget);\n',
    replacement: '',
    wrong: 'The list of orgs goes on showing the numbers of the moment when somebody first looked.',
    tests: ['test/catalogue/lists/listings.test.ts'],
  },
  {
    name: 'parts-of-a-hidden-org-shown',
    file: 'src/domain/release/visible.ts',
    text: 'sees(part) && (part.orgId === null || (org !== undefined && sees(org)));',
    replacement: 'sees(part) && (part.orgId === null || org !== undefined);',
    wrong: 'The sources and releases of a hidden org are shown.',
    tests: ['test/domain/release/visible.test.ts'],
  },
  {
    name: 'token-remembered-after-its-revocation',
    file: 'src/http/authenticate.ts',
    text: `  async function identifyToken(lookup: string, secret: string, nowMs: number): Promise<Caller> {
    const tokenId = tokenIdOf(lookup);
    const { events } = await deps.store.read(streamOf('token', tokenId));
`,
    replacement: `  const kept = new Map<string, ReturnType<typeof deps.store.read>>();
  async function identifyToken(lookup: string, secret: string, nowMs: number): Promise<Caller> {
    const tokenId = tokenIdOf(lookup);
    if (!kept.has(tokenId)) kept.set(tokenId, deps.store.read(streamOf('token', tokenId)));
    const { events } = await kept.get(tokenId)!;
`,
    wrong: 'Who has a revoked token is let in until the process ends.',
    tests: ['test/http/tokens.test.ts'],
  },
  {
    name: 'stamp-after-the-look',
    file: 'src/concurrency/stamped-answer.ts',
    text: '        asked.isThere = true;\n',
    replacement: '        asked.isThere = true;\n        Object.assign(asked, { stamp: stamp() });\n',
    wrong: 'What is projected while a request looks is shown to nobody until the look is too old.',
    tests: ['test/concurrency/stamped-answer.test.ts'],
  },
  {
    name: 'look-of-before-kept-though-forgotten',
    file: 'src/concurrency/stamped-answer.ts',
    text: '      if (kept === old) kept = answer;',
    replacement: '      kept = answer;',
    wrong: 'Who has waited for a position is answered from before it, because a look that began earlier ends later.',
    tests: ['test/concurrency/stamped-answer.test.ts'],
  },
  {
    name: 'look-that-failed-behind-told-to-nobody',
    file: 'src/concurrency/stamped-answer.ts',
    text: '      () => replaceBy(null),',
    replacement: '      () => undefined,',
    wrong: 'While the server is away answers go on as if it were there, and nobody looks again.',
    tests: ['test/concurrency/stamped-answer.test.ts'],
  },
  {
    name: 'look-that-takes-long-begun-again',
    file: 'src/concurrency/stamped-answer.ts',
    text: 'if (isYounger(kept, nowMs, lateMs)) {',
    replacement: 'if (kept.isThere && isYounger(kept, nowMs, lateMs)) {',
    wrong:
      'Where a look takes longer than it is good for, each who asks begins another, and all of them take longer for it.',
    tests: ['test/concurrency/stamped-answer.test.ts'],
  },
  {
    name: 'look-given-however-old',
    file: 'src/concurrency/stamped-answer.ts',
    text: 'isYounger(kept, nowMs, lateMs)',
    replacement: 'nowMs >= kept.askedMs',
    wrong: 'Whoever asks first after a quiet hour is answered as of an hour ago.',
    tests: ['test/concurrency/stamped-answer.test.ts', 'test/http/read-view.test.ts'],
  },
  {
    name: 'head-of-the-feed-older-than-the-look',
    file: 'src/http/read-view.ts',
    text: '    pages.forget(); // what was read before may be older than what is known now\n',
    replacement: '',
    wrong: 'What another process wrote is known to be there, and an answer without it is kept for minutes.',
    tests: ['test/http/read-view.test.ts'],
  },
  {
    name: 'position-waited-for-but-not-looked-at',
    file: 'src/http/read-view.ts',
    text: '      forget();\n',
    replacement: '',
    wrong: 'Who asks for a position that another process projected may get an answer from before it.',
    tests: ['test/http/read-view.test.ts'],
  },
  {
    name: 'write-announced-before-it-is-there',
    file: 'src/runtime/projector/announced-writes.ts',
    text: '      const outcome = await write;\n',
    replacement: '      announce(written);\n      const outcome = await write;\n',
    wrong: 'A request looks before the write and does not look again after it.',
    tests: ['test/runtime/projector/announced-writes.test.ts'],
  },
  {
    name: 'ready-said-before-it-is',
    file: 'src/cli/serve.ts',
    text: `    const isReady = await untilReady(neededChecks, { signal: stopping, onLongWait });
    if (isReady) announceReady(context, { url: server.url, baseUrl: webBaseUrl, metricsUrl });
`,
    replacement: `    announceReady(context, { url: server.url, baseUrl: webBaseUrl, metricsUrl });
    const isReady = await untilReady(neededChecks, { signal: stopping, onLongWait });
`,
    wrong: 'Whoever waits for the word gets 503 at the first request.',
    tests: ['test/system/serve.test.ts'],
  },
  {
    name: 'members-kept-of-an-org-that-changed',
    file: 'src/catalogue/catalogue.ts',
    text: '        orgChanged(id);\n        members.entityChanged(id);\n',
    replacement: '        orgChanged(id);\n',
    wrong: 'A collection goes on showing an org that was hidden or deleted.',
    tests: ['test/catalogue/collections.test.ts'],
  },
  {
    name: 'members-of-a-product-not-bound-to-its-org',
    file: 'src/catalogue/collection-members.ts',
    text: '      note(orgId, id);\n',
    replacement: '',
    wrong: 'A collection goes on showing a product whose org was hidden or deleted.',
    tests: ['test/catalogue/collections.test.ts'],
  },
  {
    name: 'members-kept-of-a-collection-that-changed',
    file: 'src/catalogue/catalogue.ts',
    text: '        members.collectionChanged(id);\n',
    replacement: '',
    wrong: 'A collection shows the members that it had before.',
    tests: ['test/catalogue/collections.test.ts'],
  },
  {
    name: 'site-notice-written-by-writers',
    file: 'src/http/routes/site-notice.ts',
    text: "access: 'admin',",
    replacement: "access: 'write',",
    wrong: 'Every writer can put a notice on every page.',
    tests: ['test/http/authorization-matrix.test.ts'],
  },
  {
    name: 'edge-of-a-window-left-out',
    file: 'src/catalogue/numbers.ts',
    text: 'first >= sinceMs ? 0 : last < sinceMs ? published.length : countUpTo(published, sinceMs - 1)',
    replacement: 'countUpTo(published, sinceMs)',
    wrong: 'A release that is 30 days old to the millisecond is no longer counted as recent.',
    tests: ['test/system/clock-boundaries.test.ts'],
  },
  {
    name: 'tomorrow-is-today',
    file: 'src/catalogue/numbers.ts',
    text: 'if (day < dayCount) days[day] =',
    replacement: 'days[Math.min(day, dayCount - 1)] =',
    wrong: 'In the last minute of a day a release of tomorrow is one of today.',
    tests: ['test/system/clock-boundaries.test.ts'],
  },
  {
    name: 'part-of-org-looked-for-in-all-orgs',
    file: 'src/catalogue/entities.ts',
    text: 'sourcePlaces.of(placeIn(orgId, slug))[0]',
    replacement: 'sourceSlugs.of(slug).find((source) => source.orgId === orgId)',
    wrong: 'Where every org has a source of the same name, each read of one of them goes through those of all orgs.',
    tests: ['test/catalogue/entities.test.ts'],
  },
  {
    name: 'deleted-part-of-org-found',
    file: 'src/catalogue/entities.ts',
    text: 'part.orgId === null || part.deletedAt !== null ? null',
    replacement: 'part.orgId === null ? null',
    wrong: 'A deleted source is found by the slug that it had, and not the one that has it now.',
    tests: ['test/catalogue/entities.test.ts'],
  },
  {
    name: 'cursor-excused-by-what-the-route-ignores',
    file: 'src/http/request/parse-request.ts',
    text: 'Object.hasOwn(known, name) && sent[name] !== undefined',
    replacement: 'sent[name] !== undefined',
    wrong: 'A cursor that no feed has given is told as not found, because of a parameter that is ignored.',
    tests: ['test/http/reading-rules.test.ts'],
  },
  {
    name: 'cursor-beside-a-page-size-told-as-unreadable',
    file: 'src/http/request/parse-request.ts',
    text: "['page', 'pageSize']",
    replacement: "['page']",
    wrong: 'Whoever sends two ways to page is told to begin anew, and sends both again.',
    tests: ['test/http/source-pages.test.ts'],
  },
];
