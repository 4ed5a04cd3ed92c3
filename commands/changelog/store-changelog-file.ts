import { createHash } from 'node:crypto';
import { z } from 'zod';
import { bodyStream, splitText } from '../../src/domain/body/split-body.ts';
import type { ChangelogEvent, ChangelogFile } from '../../src/domain/changelog/events.ts';
import { changelogFields, filesMax } from '../../src/domain/changelog/fields.ts';
import { type ChangelogOutline, outlineRule } from '../../src/domain/changelog/outline.ts';
import { type ChangelogState, changelog } from '../../src/domain/changelog/state.ts';
import { requireLiveSource, type SourceFact, sourceFact } from '../../src/domain/source/live-source.ts';
import type { SourceState } from '../../src/domain/source/state.ts';
import { type Decision, type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { sourceId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function requireRepository({ type }: SourceState): void {
  if (type === 'github') return;
  const message = `Only sources of type \`github\` have changelog files; this one is of type \`${type}\`.`;
  throw new DomainError('validation_failed', { issues: [{ path: '', message }] });
}

function requireRoom({ files }: ChangelogState): void {
  if (files.length < filesMax) return;
  const details = { cap: 'changelog files', max: filesMax, current: files.length };
  throw new DomainError('limit_exceeded', details, `A source has ${filesMax} changelog files at most.`);
}

/**
 * Replaces the file of that path; the same again is nothing new, unless its headings are found by another rule now. Its text
 * lies in a body stream of its own, however short it is: so nothing of it is left when another one has taken its place.
 */
export const storeChangelogFile = defineCommand({
  name: 'StoreChangelogFile',
  input: z.strictObject({
    sourceId,
    file: changelogFields,
    /** The file is longer: only its beginning is stored. */
    truncated: z.boolean().default(false),
    /** Of this very content. */
    outline: z.custom<ChangelogOutline>((value) => typeof value === 'object' && value !== null),
  }),
  stream: ({ sourceId }) => streamOf('changelog', sourceId),
  model: changelog,
  facts: ({ sourceId }, _, known: Partial<SourceFact>) => sourceFact(sourceId, known),
  decide: (
    { sourceId, file: { path, content, url = null, rawUrl = null }, truncated, outline },
    state,
    { facts, now, commandId }: DecisionContext<SourceFact>,
  ): Decision<ChangelogEvent> => {
    requireLiveSource(facts);
    requireRepository(facts.source);
    const before = state.files.find((file) => file.path === path);
    const sha256 = hashOf(content);
    if (before?.sha256 === sha256 && before.text.outlineRule === outlineRule) {
      if (before.url === url && before.rawUrl === rawUrl && before.truncated === truncated) return { events: [] };
      const moved = { ...before, url, rawUrl, truncated, fetchedAt: now, replacedKey: null };
      return { events: [{ type: 'ChangelogFileStored.v1', data: moved }] };
    }
    if (before === undefined) requireRoom(state);
    const key = hashOf([commandId, sha256, state.abandoned].join('\n'));
    const parts = splitText(content);
    const file: ChangelogFile = {
      path,
      url,
      rawUrl,
      sha256,
      bytes: Buffer.byteLength(content),
      chars: content.length,
      tokens: outline.tokens,
      truncated,
      fetchedAt: now,
      text: { key, partChars: parts.map((part) => part.length), pages: outline.firsts, outlineRule },
    };
    return {
      events: [{ type: 'ChangelogFileStored.v1', data: { ...file, replacedKey: before?.text.key ?? null } }],
      bodies: [{ stream: bodyStream(sourceId, key), parts: [...parts, ...outline.pages] }],
    };
  },
});
