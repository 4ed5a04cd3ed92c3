import { closedMarkdown, cutMarkdown } from './cut-markdown.ts';
import { autolink, inline, linkTo } from './inline.ts';

/** A release as documents list it. */
export interface ListedRelease {
  readonly title: string;
  readonly version: string | null;
  readonly publishedAt: string | null;
  readonly url: string | null;
  readonly webUrl: string;
  readonly content: string;
  readonly source: { readonly name: string };
}

/** Blocks with an empty line between them; those that say nothing are left out. */
export const blocks = (...parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`;

const dayOf = (publishedAt: string | null): string => publishedAt?.slice(0, 10) ?? 'undated';

/** With the version, also where the title names it: so it can be read out of every heading that has one (contract 16.4). */
const heading = (level: '##' | '###', { title, version }: Pick<ListedRelease, 'title' | 'version'>): string =>
  `${level} ${inline(version === null ? title : `${title} (${version})`)}`;

const whereabouts = ({ publishedAt, source, url, webUrl }: Omit<ListedRelease, 'content'>): string =>
  `${dayOf(publishedAt)} · ${inline(source.name)} · ${autolink(url ?? webUrl)}`;

/** A release of a feed, with its whole text. */
export const releaseSection = (release: ListedRelease): string[] => [
  heading('##', release),
  whereabouts(release),
  closedMarkdown(release.content),
];

const excerptCharsMax = 600;

/** A release with as much of its text as is shown where it is one of many parts. */
export type ExcerptedRelease = Omit<ListedRelease, 'content'> & { readonly excerpt: string };

/** A part of a text would keep the whole of it in memory. */
const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

export const excerpted = ({ content, ...release }: ListedRelease): ExcerptedRelease => {
  const { text, isCut } = cutMarkdown(content, excerptCharsMax);
  return { ...release, excerpt: isCut ? `${copyOf(text)}\n\n…` : text };
};

/** The newest releases of a thing, below its other parts. */
export const recentReleases = (releases: readonly ExcerptedRelease[]): string[] =>
  releases.length === 0
    ? []
    : [
        '## Recent releases',
        ...releases.flatMap((release) => [heading('###', release), whereabouts(release), release.excerpt]),
      ];

/** A product or source of a list. */
export interface ListedPart {
  readonly name: string;
  readonly webUrl: string;
  /** Its kind, or the type of a source; null when nobody said. */
  readonly kindOrType: string | null;
  readonly releaseCount: number;
}

const partLine = ({ name, webUrl, kindOrType, releaseCount }: ListedPart): string =>
  [`- ${linkTo(name, webUrl)}`, kindOrType, `${releaseCount} ${releaseCount === 1 ? 'release' : 'releases'}`]
    .filter((part) => part !== null)
    .join(' · ');

export const partList = (title: string, parts: readonly ListedPart[]): string[] =>
  parts.length === 0 ? [] : [`## ${title}`, parts.map(partLine).join('\n')];

/** A text that somebody wrote in Markdown, below a heading of ours. */
export const writtenSection = (title: string, text: string | null): string[] =>
  text === null || text.trim() === '' ? [] : [`## ${title}`, closedMarkdown(text)];
