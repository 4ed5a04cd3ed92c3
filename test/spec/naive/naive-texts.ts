import type { BodyPartStored } from '../../../src/domain/body/events.ts';
import type { ChangelogEvent } from '../../../src/domain/changelog/events.ts';
import type { SummaryWritten } from '../../../src/domain/summary/events.ts';
import type { RecordedEvent } from '../../../src/kernel/event.ts';
import { eventsOf } from './naive-events.ts';
import type { NaiveSource } from './naive-registry.ts';
import type { NaiveView } from './naive-view.ts';

export type NaiveSummary = SummaryWritten['data'] & { readonly id: string };

export interface NaiveChangelogFile {
  readonly sourceId: string;
  readonly path: string;
  readonly url: string | null;
  readonly fetchedAt: string;
  readonly content: string;
}

export const summariesAfter = (events: readonly RecordedEvent[]): NaiveSummary[] => {
  const rows = new Map<string, NaiveSummary>();
  for (const { stream, data } of eventsOf<SummaryWritten>(events, 'summary')) {
    rows.set(stream.id, { id: stream.id, ...data });
  }
  return [...rows.values()];
};

export const changelogFilesAfter = (events: readonly RecordedEvent[]): NaiveChangelogFile[] => {
  const rows = new Map<string, NaiveChangelogFile>();
  const parts = eventsOf<BodyPartStored>(events, 'body').filter(({ type }) => type === 'BodyPartStored.v1');
  for (const { type, stream, data } of eventsOf<ChangelogEvent>(events, 'changelog')) {
    if (type !== 'ChangelogFileStored.v1') continue;
    const { path, url, fetchedAt, text } = data;
    const content = parts
      .filter((part) => part.stream.name === `body-${stream.id}-${text.key}` && part.data.part < text.partChars.length)
      .sort((a, b) => a.data.part - b.data.part)
      .map((part) => part.data.text)
      .join('');
    rows.set(`${stream.id} ${path}`, { sourceId: stream.id, path, url, fetchedAt, content });
  }
  return [...rows.values()];
};

const newestFirst = (summaries: readonly NaiveSummary[]): NaiveSummary[] => {
  const keyOf = ({ generatedAt, id }: NaiveSummary) => `${generatedAt} ${id}`;
  return [...summaries].sort((a, b) => (keyOf(a) > keyOf(b) ? -1 : 1));
};

export const naiveSummaries = ({ registry }: NaiveView, { id }: NaiveSource): NaiveSummary[] =>
  newestFirst(registry.summaries.filter(({ sourceId }) => sourceId === id));

/** Contract 5.2. */
export const naiveShownSummaries = (view: NaiveView, source: NaiveSource) => {
  const summaries = naiveSummaries(view, source);
  const said = ({ summary, releaseCount, generatedAt }: NaiveSummary) => ({ summary, releaseCount, generatedAt });
  const [rolling] = summaries.filter(({ type }) => type === 'rolling');
  const months = summaries
    .filter(({ type }) => type === 'monthly')
    .sort((a, b) => 12 * (b.year! - a.year!) + b.month! - a.month!);
  return {
    rolling: rolling ? { year: null, month: null, windowDays: rolling.windowDays, ...said(rolling) } : null,
    monthly: months.slice(0, 24).map((each) => ({ year: each.year, month: each.month, ...said(each) })),
  };
};

const preferred = ['CHANGELOG.md', 'NEWS.md', 'docs/changelog.md'];

/** Those that histories write, in the order in which they are meant. */
export const naiveChangelogFiles = ({ registry }: NaiveView, { id }: NaiveSource): NaiveChangelogFile[] =>
  preferred.flatMap((path) => registry.changelogFiles.filter((file) => file.sourceId === id && file.path === path));

const repositoryOf = ({ url }: NaiveSource): string => url.replace(/[/]+$/, '');

/** Contract 5.4: as given, else where the repository shows the file of its main branch. */
export const naiveFileUrl = (source: NaiveSource, { path, url }: NaiveChangelogFile): string =>
  url ?? `${repositoryOf(source)}/blob/HEAD/${path}`;

export const naiveRawUrl = (source: NaiveSource, { path }: NaiveChangelogFile): string =>
  `${repositoryOf(source)}/raw/HEAD/${path}`;
