import { orgProjection, type OrgDocument } from '../../../../projections/org/org.ts';
import { releaseFeedProjection } from '../../../../projections/release-feed/release-feed.ts';
import { sourceProjection } from '../../../../projections/source/source.ts';
import { writeOverview } from '../../../../commands/overview/write-overview.ts';
import { writeSummary } from '../../../../commands/summary/write-summary.ts';
import { type OverviewWritten, toldReleaseIds } from '../../../domain/overview/events.ts';
import type { SummaryWritten } from '../../../domain/summary/events.ts';
import { monthlySummaryId, rollingDays, rollingSummaryId } from '../../../domain/summary/generated-summaries.ts';
import { isShownToAll, isVisible } from '../../../domain/release/visible.ts';
import { overviewStep, summaryStep, type WrittenOverview, type WrittenText } from '../../../generation/cadence.ts';
import type { ContentProvider, SummaryWindow } from '../../../generation/content-provider.ts';
import type { CommandRequest } from '../../../kernel/command.ts';
import { dayMs, toTimestamp } from '../../../kernel/dates.ts';
import { type EventMetadata, isGenerated, type RecordedEvent } from '../../../kernel/event.ts';
import { streamOf } from '../../../kernel/stream-name.ts';
import type { EventStore } from '../../../ports/event-store.ts';
import type { DueContent } from '../../../records/generation-due.ts';
import type { Snapshots } from '../../../records/snapshots.ts';
import type { CommandRunner } from '../../commands/command-runner.ts';
import { dropGenerated, type GeneratedTexts, overviewTexts, summaryTexts } from './drop-generated.ts';
import { monthBounds } from './due-wishes.ts';
import { type ReleaseReads, releasesOfOrg, releasesOfSource } from './visible-releases.ts';

export interface TextsDeps {
  readonly store: EventStore;
  readonly commands: CommandRunner;
  readonly snapshots: Pick<Snapshots, 'forget'>;
  readonly provider: ContentProvider;
  /** Of one new command. */
  readonly request: (cause: 'generate' | 'enrich') => CommandRequest;
}

/** When it is to be looked at again; null when there is nothing to wait for. */
export type NextLookMs = number | null;

async function lastText<E extends OverviewWritten | SummaryWritten>(
  { store }: TextsDeps,
  stream: string,
  type: E['type'],
): Promise<RecordedEvent<E> | null> {
  const { events } = await store.read(stream, { direction: 'backwards', limit: 1 });
  return events[0]?.type === type ? (events[0] as RecordedEvent<E>) : null;
}

const metadataOf = (request: CommandRequest, nowMs: number): EventMetadata => ({
  ...request,
  recordedAt: toTimestamp(nowMs),
});

async function drop({ store, snapshots }: TextsDeps, texts: GeneratedTexts): Promise<void> {
  await dropGenerated(store, [texts]);
  await snapshots.forget([texts.stream]);
}

/** Those of some releases that not everybody sees any more. */
async function withdrawnOf({ models, nowMs }: ReleaseReads, releaseIds: readonly string[]): Promise<Set<string>> {
  const rows = await models.of(releaseFeedProjection).get(releaseIds);
  const sources = await models.of(sourceProjection).get([...new Set(rows.map(({ sourceId }) => sourceId))]);
  const sourcesById = new Map(sources.map((source) => [source.id, source]));
  const shown = rows.filter((row) => isShownToAll(row, sourcesById.get(row.sourceId), nowMs));
  const shownIds = new Set(shown.map(({ id }) => id));
  return new Set(releaseIds.filter((id) => !shownIds.has(id)));
}

/** Null once nothing is left that anybody has to be kept from seeing: what is generated goes, what somebody wrote stays. */
async function settledOverview(
  deps: TextsDeps,
  reads: ReleaseReads,
  orgId: string,
): Promise<RecordedEvent<OverviewWritten> | null> {
  const written = await lastText<OverviewWritten>(deps, streamOf('overview', orgId), 'OverviewWritten.v1');
  if (written === null || !isGenerated(written)) return written;
  const withdrawn = await withdrawnOf(reads, [...toldReleaseIds(written.data)]);
  if (withdrawn.size === 0) return written;
  await drop(deps, overviewTexts(orgId, withdrawn, metadataOf(deps.request('generate'), reads.nowMs)));
  return null;
}

const writtenOverview = ({ data, metadata }: RecordedEvent<OverviewWritten>): WrittenOverview => ({
  isGenerated: isGenerated({ metadata }),
  writtenMs: Date.parse(data.updatedAt),
  lastContributingMs: data.lastContributingReleaseAt === null ? null : Date.parse(data.lastContributingReleaseAt),
});

/** Rewrites what an org is about when that is due. */
export async function generateOverview(
  deps: TextsDeps,
  reads: ReleaseReads,
  { ownerId }: DueContent,
): Promise<NextLookMs> {
  const [org] = await reads.models.of(orgProjection).get([ownerId]);
  if (org === undefined) return null;
  const last = await settledOverview(deps, reads, org.id);
  const releases = org.autoGenerateContent ? await releasesOfOrg(reads, org) : [];
  if (releases.length === 0) return null;
  const moments = releases.map(({ publishedAt, fetchedAt }) => Date.parse(publishedAt ?? fetchedAt));
  const newestMs = moments.reduce((newest, moment) => Math.max(newest, moment), 0);
  const { overviewCadenceDays: cadenceDays } = org;
  const step = overviewStep(last && writtenOverview(last), { newestMs, cadenceDays, nowMs: reads.nowMs });
  if (step.kind !== 'write') return step.kind === 'later' ? step.dueMs : null;
  const draft = await deps.provider.overviewOf(org, releases);
  if (draft === null) return null;
  const lastContributingReleaseAt = toTimestamp(newestMs);
  const { shownReleaseIds, ...text } = draft;
  const fields = { ...text, releaseCount: releases.length, lastContributingReleaseAt };
  const input = { ownerId, fields, ...(shownReleaseIds && { shownReleaseIds }) };
  await deps.commands.run(writeOverview, input, deps.request('generate'));
  return null;
}

interface SummaryPlan {
  readonly id: string;
  readonly window: SummaryWindow;
  readonly fromMs: number;
  readonly toMs: number;
}

function summaryPlan({ ownerId, month }: DueContent, nowMs: number): SummaryPlan {
  if (month === null) {
    const window = { type: 'rolling' as const, windowDays: rollingDays };
    return { id: rollingSummaryId(ownerId), window, fromMs: nowMs - rollingDays * dayMs, toMs: nowMs };
  }
  const [year = 0, number = 0] = month.split('-').map(Number);
  const window = { type: 'monthly' as const, year, month: number };
  return { id: monthlySummaryId(ownerId, month), window, ...monthBounds(month) };
}

const isShown = (org: OrgDocument | undefined): org is OrgDocument => org !== undefined && isVisible(org);

/** Rewrites what is told of some days of a source when that is due. */
export async function generateSummary(deps: TextsDeps, reads: ReleaseReads, row: DueContent): Promise<NextLookMs> {
  const { id, window, ...bounds } = summaryPlan(row, reads.nowMs);
  const sourceId = row.ownerId;
  let last = await lastText<SummaryWritten>(deps, streamOf('summary', id), 'SummaryWritten.v1');
  if (row.isUrgent && last !== null && isGenerated(last)) {
    await drop(deps, summaryTexts(sourceId, id, metadataOf(deps.request('generate'), reads.nowMs)));
    last = null;
  }
  const [source] = await reads.models.of(sourceProjection).get([sourceId]);
  if (source === undefined || !isVisible(source) || source.orgId === null) return null;
  const [org] = await reads.models.of(orgProjection).get([source.orgId]);
  if (!isShown(org) || !org.autoGenerateContent) return null;
  const summarized = await releasesOfSource(reads, source, bounds);
  if (summarized.count === 0) return null;
  const newestFetchedMs = Math.max(...summarized.releases.map(({ fetchedAt }) => Date.parse(fetchedAt)));
  const written: WrittenText | null = last && {
    isGenerated: isGenerated(last),
    writtenMs: Date.parse(last.data.generatedAt),
  };
  const { overviewCadenceDays: cadenceDays } = org;
  const step = summaryStep(written, { newestFetchedMs, cadenceDays, nowMs: reads.nowMs });
  // The org may say other days meanwhile, which is no change of its sources.
  if (step.kind === 'later') return Math.min(step.dueMs, reads.nowMs + dayMs);
  if (step.kind === 'nothing') return null;
  const summary = await deps.provider.summaryOf(source, window, summarized);
  if (summary === null) return null;
  const fields = { ...window, summary, releaseCount: summarized.count };
  await deps.commands.run(writeSummary, { sourceId, fields }, deps.request('generate'));
  return null;
}
