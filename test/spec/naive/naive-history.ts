import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RecordedEvent } from '../../../src/kernel/event.ts';
import { withLivingProduct } from './naive-org-parts.ts';
import { type NaiveOrg, type NaiveRegistry, naiveRegistry, type NaiveRelease } from './naive-registry.ts';
import { isPrerelease, type NaiveView, publishedAtOf } from './naive-view.ts';

const digestOf = (text: string | null) =>
  text === null || text === '' ? null : { hash: createHash('sha256').update(text).digest('hex'), chars: text.length };

const causes: Readonly<Record<string, string>> = {
  'ReleaseSuppressed.v1': 'suppress',
  'ReleaseUnsuppressed.v1': 'unsuppress',
  'CoverageLinked.v1': 'coverage',
  'CoverageUnlinked.v1': 'coverage',
};

const releaseValues = (release: NaiveRelease | undefined): Readonly<Record<string, unknown>> => {
  if (release === undefined) return {};
  const { given, derived, content } = release;
  return {
    title: given.title,
    version: given.version ?? null,
    url: given.url ?? null,
    publishedAt: publishedAtOf(release),
    type: given.type ?? derived.type,
    prerelease: isPrerelease(release),
    summary: given.summary ?? derived.summary,
    titleGenerated: given.titleGenerated ?? null,
    titleShort: given.titleShort ?? null,
    breaking: given.breaking ?? derived.breaking,
    importance: given.importance ?? derived.importance,
    composition: given.composition ?? derived.composition,
    media: given.media ?? [],
    content: digestOf(content),
    migrationNotes: digestOf(given.migrationNotes ?? derived.migrationNotes),
    coverageOf: release.coverageOf,
    suppressed: release.suppressed,
  };
};

/** Locations are told as details show them, without their ids. */
const toldValue = (field: string, value: unknown): unknown =>
  field === 'locations' && value !== null
    ? (value as readonly { id: string }[]).map(({ id: _, ...location }) => location)
    : value;

const differences = (before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>) =>
  Object.keys(after)
    .map((field) => ({ field, from: toldValue(field, before[field] ?? null), to: toldValue(field, after[field]) }))
    .filter(({ from, to }) => !isDeepStrictEqual(from, to));

const isNothing = (value: unknown): boolean => ['null', 'false', '""', '[]', '{}'].includes(JSON.stringify(value));

/** Whether the last word on it before a position was that it is hidden. */
const wasHidden = (log: readonly RecordedEvent[], sourceId: string, position: number): boolean =>
  log
    .filter((event) => event.stream.name === `source-${sourceId}` && event.position < position)
    .reduce((hidden, { type }) => (/^Source(Unh|H)idden/.test(type) ? type.startsWith('SourceH') : hidden), false);

/** Contract 6.3, to everybody: the release after each of its events, compared with what it was before. */
export const naiveReleaseHistory = (log: readonly RecordedEvent[], releaseId: string) => {
  const own = log.filter(({ stream }) => stream.name === `release-${releaseId}` || stream.category === 'body');
  const items = own.flatMap((event, index) => {
    const isRevision = event.type === 'ReleaseIndexed.v1' || event.type === 'ReleaseRevised.v1';
    if (!isRevision && causes[event.type] === undefined) return [];
    const at = (length: number) => naiveRegistry(own.slice(0, length)).releases.find(({ id }) => id === releaseId);
    const [before, after] = [at(index), at(index + 1)];
    if (before?.suppressed && after?.suppressed) return []; // done while it was taken down
    if (wasHidden(log, after!.sourceId, event.position)) return [];
    const changes = differences(releaseValues(before), releaseValues(after));
    const { cause } = event.metadata;
    return [
      {
        revision: after!.revision,
        position: event.position,
        at: event.metadata.recordedAt,
        cause: causes[event.type] ?? (cause === 'edit' || cause === 'enrich' ? cause : 'ingest'),
        changes: before === undefined ? changes.filter(({ to }) => !isNothing(to)) : changes,
      },
    ];
  });
  return items.reverse();
};

type Values = Readonly<Record<string, unknown>>;

const withSources = (locations: unknown, sourceIdOf: (id: string, before: unknown) => unknown) =>
  ((locations ?? []) as readonly { id: string; sourceId: unknown }[]).map((each) => ({
    ...each,
    sourceId: sourceIdOf(each.id, each.sourceId),
  }));

/** An entity after one event more; accounts are no part of it. */
const valuesAfter = (before: Values, { type, data }: RecordedEvent): Values => {
  const told = data as Record<string, unknown>;
  const name = type.replace(/^(Org|Product|Source)|\.v\d+$/g, '');
  if (name === 'Created') {
    const { orgId: _, createdAt: _at, ...fields } = told;
    return { ...fields, isHidden: false, deletedAt: null };
  }
  if (name === 'Changed') return { ...before, ...(told['changed'] as object) };
  if (name === 'Hidden' || name === 'Unhidden') return { ...before, isHidden: name === 'Hidden' };
  if (name === 'Deleted' || name === 'Restored') return { ...before, deletedAt: told['deletedAt'] ?? null };
  if (name === 'TrackingRequested') return { ...before, trackingRequestedAt: told['requestedAt'] };
  if (name === 'Promoted') {
    const made = told['sources'] as Record<string, string>;
    const locations = withSources(before['locations'], (id, was) => made[id] ?? was);
    return { ...before, status: 'tracked', locations, trackingRequestedAt: null };
  }
  if (name === 'Demoted') {
    return { ...before, status: 'stub', locations: withSources(before['locations'], () => null) };
  }
  if (name === 'OverviewWritten') return { ...before, overview: digestOf(told['content'] as string) };
  if (name === 'PlaybookWritten') return { ...before, playbook: digestOf(told['content'] as string) };
  if (name === 'PlaybookRemoved') return { ...before, playbook: null };
  return before;
};

/** `OrgAccountLinked.v1` is told as `org.account_linked`. */
const typeOf = (type: string): string =>
  type
    .replace(/\.v\d+$/, '')
    .replace(/^[A-Z][a-z]+/, (kind) => `${kind}.`)
    .replaceAll(/(?<=[a-z])[A-Z]/g, (capital) => `_${capital}`)
    .toLowerCase();

const byField = (a: { readonly field: string }, b: { readonly field: string }): number => (a.field < b.field ? -1 : 1);

const silent = /^(Org|Product|Source)Purged|^OrgPromotion|^OverviewRemoved|^PurgeCompleted|^ClaimForfeited|^Abandoned/;

/**
 * Contract 3.5, to admins: all that is still there, newest first, each with what differs from before. `hidden` is what was
 * done while the entity was hidden, and by the commands that hid it or showed it again.
 */
export const naiveOrgHistory = (
  { orgs, products, sources }: NaiveRegistry,
  log: readonly RecordedEvent[],
  orgId: string,
) => {
  const entities = [
    ...orgs.filter(({ id }) => id === orgId).map(({ id, slug, deleted }) => ({ kind: 'org', id, slug, deleted })),
    ...products
      .filter((row) => row.orgId === orgId)
      .map(({ id, slug, deleted }) => ({ kind: 'product', id, slug, deleted })),
    ...sources
      .filter((row) => row.orgId === orgId)
      .map(({ id, slug, deleted }) => ({ kind: 'source', id, slug, deleted })),
  ];
  const items = entities
    .filter(({ deleted }) => !deleted)
    .flatMap(({ kind, id, slug }) => {
      const own = log.filter(
        ({ stream, type }) =>
          stream.id === id &&
          ['org', 'product', 'source', 'overview', 'playbook'].includes(stream.category) &&
          !silent.test(type),
      );
      let values: Values = {};
      const hiding = new Set<string>();
      const told = own.map((event) => {
        const after = valuesAfter(values, event);
        const isFirst = Object.keys(values).length === 0;
        const { platform, handle } = event.data as { platform?: string; handle?: string };
        const account = { field: 'account', from: null, to: null };
        const changes =
          event.type === 'OrgAccountLinked.v1'
            ? [{ ...account, to: { platform, handle } }]
            : event.type === 'OrgAccountUnlinked.v1'
              ? [{ ...account, from: { platform, handle } }]
              : differences(values, after);
        const { commandId } = event.metadata;
        if (values['isHidden'] === true || after['isHidden'] === true) hiding.add(commandId);
        values = after;
        return {
          commandId,
          type: typeOf(event.type),
          position: event.position,
          at: event.metadata.recordedAt,
          actor: event.metadata.actor,
          entity: { kind, id, slug },
          changes: (isFirst ? changes.filter(({ to }) => !isNothing(to)) : changes).sort(byField),
        };
      });
      // What changed nothing tells nothing, but for what has happened by itself.
      const telling = told.filter(({ type, changes }) => changes.length > 0 || !/changed|written|removed/.test(type));
      return telling.map(({ commandId, ...item }) => ({ item, hidden: hiding.has(commandId) }));
    });
  return items.sort((a, b) => b.item.position - a.item.position);
};

type OrgHistory = ReturnType<typeof naiveOrgHistory>;
type Change = OrgHistory[number]['item']['changes'][number];

/** What everybody may see of a value, by what is seen today. */
const publicValue = (view: NaiveView, field: string, value: unknown): unknown => {
  const isSeen = (rows: readonly { readonly id: string }[], id: string | null): boolean =>
    id === null || rows.some((row) => row.id === id);
  if (value === null || field === 'trackingRequestedAt') return null;
  if (field === 'productId') return isSeen(view.products, value as string) ? value : null;
  if (field === 'metadata') return Object.keys(value as object).length === 0 ? null : value;
  if (field !== 'locations') return value;
  return (value as NaiveOrg['locations'])
    .map(withLivingProduct(view))
    .filter(({ productId, sourceId }) => isSeen(view.products, productId) && isSeen(view.sources, sourceId));
};

/** The same to everybody: of what is visible and was so then, and nothing of playbooks and of requests. */
export const naivePublicOrgHistory = (view: NaiveView, history: OrgHistory) =>
  history.flatMap(({ item: { actor: _, ...item }, hidden }) => {
    const isVisible = [...view.orgs, ...view.products, ...view.sources].some(({ id }) => id === item.entity.id);
    if (hidden || !isVisible || /^playbook|tracking_requested/.test(item.type)) return [];
    const told = ({ field, from, to }: Change) => ({
      field,
      from: publicValue(view, field, from),
      to: publicValue(view, field, to),
    });
    const changes = item.changes.map(told).filter(({ from, to }) => !isDeepStrictEqual(from, to));
    return changes.length === 0 && item.changes.length > 0 ? [] : [{ ...item, changes }];
  });
