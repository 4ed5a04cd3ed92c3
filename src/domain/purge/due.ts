import { isExpired, type Lifetime } from '../lifecycle.ts';

/** What a decision to purge knows of the entity and, where it has one, of its org. */
interface PurgeFacts {
  readonly entity: Lifetime;
  readonly org?: Lifetime | undefined;
  readonly now: string;
}

/** Nobody has to ask: the time to restore it is over, or its org is purged. */
export const isPurgeDue = ({ entity, org, now }: PurgeFacts): boolean =>
  entity.lifecycle !== 'absent' && (isExpired(entity, now) || org?.lifecycle === 'purged');
