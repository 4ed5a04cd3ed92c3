import type { CollectionEvent, CollectionFields, CollectionMember } from '../../../src/domain/collection/events.ts';
import type { SiteNotice, SiteNoticeReplaced } from '../../../src/domain/site-notice/events.ts';
import type { RecordedEvent } from '../../../src/kernel/event.ts';
import { change, eventsOf } from './naive-events.ts';
import type { NaiveOrg, NaiveSource } from './naive-registry.ts';
import { inOrderOfNames, naiveGithubHandle, type NaiveView, sourcesOfOrg, sourcesOfProduct } from './naive-view.ts';

export interface NaiveCollection extends CollectionFields {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deleted: boolean;
  readonly members: readonly CollectionMember[];
}

export const collectionsAfter = (events: readonly RecordedEvent[]): NaiveCollection[] => {
  let rows: NaiveCollection[] = [];
  for (const event of eventsOf<CollectionEvent>(events, 'collection')) {
    const { id } = event.stream;
    const updatedAt = event.metadata.recordedAt;
    const { members = [] } = rows.find((row) => row.id === id) ?? {};
    if (event.type === 'CollectionCreated.v1') {
      rows = [...rows, { id, ...event.data, updatedAt, deleted: false, members: [] }];
    }
    if (event.type === 'CollectionChanged.v1') rows = change(rows, id, { ...event.data.changed, updatedAt });
    if (event.type === 'CollectionDeleted.v1') rows = change(rows, id, { deleted: true });
    if (event.type === 'CollectionMembersReplaced.v1') {
      rows = change(rows, id, { members: event.data.members, updatedAt });
    }
    if (event.type === 'CollectionMemberAdded.v1') {
      rows = change(rows, id, { members: [...members, event.data.member], updatedAt });
    }
    if (event.type === 'CollectionMemberRemoved.v1') {
      const left = members.filter((member) => member.id !== event.data.memberId);
      rows = change(rows, id, { members: left, updatedAt });
    }
  }
  return rows;
};

export type NaiveSiteNotice = SiteNotice & { readonly updatedAt: string };

export const siteNoticeAfter = (events: readonly RecordedEvent[]): NaiveSiteNotice | null => {
  const last = eventsOf<SiteNoticeReplaced>(events, 'notice').at(-1)?.data;
  return last === undefined ? null : { ...last.notice, updatedAt: last.replacedAt };
};

export const membersOf = (view: NaiveView, { members }: NaiveCollection) => {
  const shown = members.flatMap(({ id, position }) => {
    const org = view.orgs.find((row) => row.id === id);
    const product = view.products.find((row) => row.id === id);
    const row = org ?? product;
    if (row === undefined) return [];
    const { slug, name, description } = row;
    const owner = product && view.orgs.find((each) => each.id === product.orgId);
    const kind = org === undefined ? 'product' : 'org';
    const ownOf = (each: NaiveOrg) => {
      const { domain, avatarUrl } = each;
      return { slug: each.slug, name: each.name, domain, avatarUrl, githubHandle: naiveGithubHandle(each) };
    };
    const answer = { kind, slug, name, description, ...(org && ownOf(org)), ...(owner && { org: ownOf(owner) }) };
    return [{ id, position: position ?? Number.MAX_VALUE, slug, name, answer }];
  });
  // By the last key first: each sort keeps the order of those before it among equals.
  const bySlug = inOrderOfNames(shown).sort((a, b) => (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0));
  const keyOf = ({ name }: { readonly name: string }) => name.toLowerCase();
  const byName = bySlug.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
  return byName.sort((a, b) => a.position - b.position).map(({ answer }) => answer);
};

const isOrg = ({ kind }: { readonly kind: string }) => kind === 'org';
const withoutKind = <Row extends { readonly kind: string }>({ kind: _, ...row }: Row) => row;

/** Contract 10.3. */
export const naiveCollectionDetail = (view: NaiveView, collection: NaiveCollection) => {
  const { id, slug, name, description, isFeatured, createdAt, updatedAt } = collection;
  const members = membersOf(view, collection);
  const orgs = members.filter(isOrg).map(withoutKind);
  return { id, slug, name, description, isFeatured, createdAt, updatedAt, memberCount: members.length, members, orgs };
};

export const naiveCollectionList = (view: NaiveView, featured: boolean) => {
  const living = view.registry.collections.filter((row) => !row.deleted && (!featured || row.isFeatured));
  return inOrderOfNames(living).map((collection) => {
    const { slug, name, description, isFeatured } = collection;
    const members = membersOf(view, collection);
    const previewOrgs = members.filter(isOrg).map(withoutKind).slice(0, 3);
    const previewMembers = members.slice(0, 3);
    return { slug, name, description, isFeatured, memberCount: members.length, previewMembers, previewOrgs };
  });
};

/** Those of its visible members. */
export const sourcesOfCollection = (view: NaiveView, { members }: NaiveCollection): NaiveSource[] => {
  const isMember = ({ id }: { readonly id: string }) => members.some((member) => member.id === id);
  const found = [
    ...view.orgs.filter(isMember).flatMap(({ id }) => sourcesOfOrg(view, id)),
    ...view.products.filter(isMember).flatMap(({ id }) => sourcesOfProduct(view, id)),
  ];
  return [...new Set(found)];
};
