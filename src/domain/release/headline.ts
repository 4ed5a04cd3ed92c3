import type { EffectiveRelease } from './effective.ts';

/** A title with its version, unless it names it already. */
const withVersion = (title: string, version: string | null): string =>
  version === null || title.includes(version) ? title : `${title} (${version})`;

type NamedRelease = Pick<EffectiveRelease, 'titleShort' | 'titleGenerated' | 'title' | 'version'>;

/**
 * How a release is called where there is room for one line: in chats and feed readers (contract 13.11). An empty text
 * is no title, as in the path of its page.
 */
export const headlineOf = ({ titleShort, titleGenerated, title, version }: NamedRelease): string =>
  withVersion([titleShort, titleGenerated].find((text) => text?.trim()) ?? title, version);
