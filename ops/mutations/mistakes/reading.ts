import type { Mistake } from '../mistake.ts';

/** What readers are shown, and who is let in. */
export const readingMistakes: readonly Mistake[] = [
  {
    name: 'cursor-of-another-feed-accepted',
    file: 'src/kernel/cursor.ts',
    text: 'if (cursor === null || cursor[1] !== scopeHash(scope))',
    replacement: 'if (cursor === null)',
    wrong: 'A page of one feed is continued in another, and releases are left out unseen.',
    tests: ['test/kernel/cursor.test.ts'],
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
];
