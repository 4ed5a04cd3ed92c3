import { addCollectionMember } from '../../../commands/collection/add-collection-member.ts';
import { changeCollection } from '../../../commands/collection/change-collection.ts';
import { createCollection } from '../../../commands/collection/create-collection.ts';
import { deleteCollection } from '../../../commands/collection/delete-collection.ts';
import { removeCollectionMember } from '../../../commands/collection/remove-collection-member.ts';
import { replaceCollectionMembers } from '../../../commands/collection/replace-collection-members.ts';
import { replaceSiteNotice } from '../../../commands/site-notice/replace-site-notice.ts';
import type { Command } from '../../../src/kernel/command.ts';
import type { DomainEvent } from '../../../src/kernel/event.ts';
import type { Seeded } from '../seeded.ts';
import type { createEntityFields } from './entity-fields.ts';
import type { Entity } from './lifetimes.ts';

export interface CollectionStepsDeps {
  readonly random: Seeded;
  readonly fields: ReturnType<typeof createEntityFields>;
  /** What may become a member, deleted and hidden ones too. */
  readonly candidates: () => readonly Entity[];
  /** Undefined when the command was refused. */
  readonly run: <Input, State, E extends DomainEvent, Facts extends object>(
    command: Command<Input, State, E, Facts>,
    input: object,
  ) => Promise<{ readonly id: string } | undefined>;
}

type WeightedStep = readonly [weight: number, step: () => Promise<unknown>];

/** Collections that come, go and change, of whatever is there, and the notice of the site. */
export function createCollectionSteps({ random, fields, candidates, run }: CollectionStepsDeps): WeightedStep[] {
  const collectionIds: string[] = [];

  const described = () => ({ ...fields.nameAndSlug(), isFeatured: random.chance(50) });
  const member = (id: string) => ({ id, position: random.chance(50) ? null : random.int(0, 2) });
  const anyMemberId = () => random.pick(candidates()).id;
  const onAny = (step: (collectionId: string) => Promise<unknown>) => async () => {
    if (collectionIds.length > 0 && candidates().length > 0) await step(random.pick(collectionIds));
  };

  const add = async () => {
    const created = await run(createCollection, described());
    if (created !== undefined) collectionIds.push(created.id);
  };
  const replaceMembers = onAny((collectionId) => {
    const ids = new Set(Array.from({ length: random.int(0, 5) }, anyMemberId));
    return run(replaceCollectionMembers, { collectionId, members: [...ids].map(member) });
  });

  return [
    [3, add],
    [2, onAny((collectionId) => run(changeCollection, { collectionId, changes: described() }))],
    [1, onAny((collectionId) => run(deleteCollection, { collectionId }))],
    [3, replaceMembers],
    [4, onAny((collectionId) => run(addCollectionMember, { collectionId, member: member(anyMemberId()) }))],
    [2, onAny((collectionId) => run(removeCollectionMember, { collectionId, memberId: anyMemberId() }))],
    [
      1,
      () => {
        const look = { placement: 'home', color: '#000000', dismissible: true };
        return run(replaceSiteNotice, { ...look, ...fields.notice() });
      },
    ],
  ];
}
