import type { DomainEvent } from '../../kernel/event.ts';
import type { Mark } from './marks.ts';

/** Where the text of a file lies: in a body stream of the source, its parts first, then the pages of its outline. */
export interface ChangelogText {
  /** Names the body stream. Never used again, also not for the same text: what was erased stays erased. */
  readonly key: string;
  /** UTF-16 length of each part. */
  readonly partChars: readonly number[];
  /** The first mark of each page. */
  readonly pages: readonly Mark[];
  /** The number of the rule that the outline was made by; the first one had none. */
  readonly outlineRule?: number;
}

export interface ChangelogFile {
  /** From the root of the repository. */
  readonly path: string;
  /** As given; null when nobody said where the file can be seen. */
  readonly url: string | null;
  readonly rawUrl: string | null;
  readonly sha256: string;
  /** In UTF-8. */
  readonly bytes: number;
  /** UTF-16 units. */
  readonly chars: number;
  /** Of the whole file, exactly. */
  readonly tokens: number;
  /** Only the beginning of the file is stored. */
  readonly truncated: boolean;
  readonly fetchedAt: string;
  readonly text: ChangelogText;
}

/** The stream is named by the source. The text that this one takes the place of is erased some time later. */
export type ChangelogFileStored = DomainEvent<
  'ChangelogFileStored.v1',
  ChangelogFile & { readonly replacedKey: string | null }
>;

/**
 * Nobody may name this text any more: it was begun and never finished, and is about to be erased. Whoever still writes
 * it finds that the stream has moved on.
 */
export type ChangelogTextAbandoned = DomainEvent<'ChangelogTextAbandoned.v1', { readonly key: string }>;

/** The source was purged: its files are gone, and with them all that the stream held before. */
export type ChangelogRemoved = DomainEvent<
  'ChangelogRemoved.v1',
  { /** Of the paths, which are text themselves. */ readonly pathHashes: readonly string[]; readonly removedAt: string }
>;

export type ChangelogEvent = ChangelogFileStored | ChangelogTextAbandoned | ChangelogRemoved;
