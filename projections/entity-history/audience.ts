import { isDeepStrictEqual } from 'node:util';
import type { FieldChange } from '../../src/domain/field-changes.ts';
import { isVisible } from '../../src/domain/release/visible.ts';
import { publicMetadata } from '../../src/domain/source/metadata.ts';
import type { ChangeType } from './change-types.ts';

/** Who may be told of a change. */
export type Audience = 'all' | 'admin' | 'nobody';

const adminTypes = new Set<ChangeType>(['playbook.written', 'playbook.removed', 'org.tracking_requested']);

/** They tell nothing but what they changed; the others tell something by what they are. */
const changingTypes = new Set<ChangeType>([
  'org.changed',
  'product.changed',
  'source.changed',
  'overview.written',
  'playbook.written',
  'playbook.removed',
]);

type Metadata = Readonly<Record<string, unknown>> | null;

/** Whether there is something in it for everybody, as far as the change itself says. */
const isPublic = ({ field, from, to }: FieldChange): boolean => {
  if (field === 'trackingRequestedAt') return false;
  if (field !== 'metadata') return true;
  return !isDeepStrictEqual(publicMetadata((from as Metadata) ?? {}), publicMetadata((to as Metadata) ?? {}));
};

interface Told {
  readonly type: ChangeType;
  /** The entity was hidden before or after it. */
  readonly hidden: boolean;
  readonly changes: readonly FieldChange[];
}

/** Of a change that nothing can make more public later (contract 3.5). */
export const audienceOf = ({ type, hidden, changes }: Told): Audience => {
  if (changes.length === 0) {
    if (changingTypes.has(type)) return 'nobody';
  } else if (!changes.some(isPublic)) return 'admin';
  return hidden || adminTypes.has(type) ? 'admin' : 'all';
};

/** As its entity is now: what is hidden is for admins, what is deleted nobody is told of (contract 2.9). */
export const toldToNow = (audience: Audience, entity: Parameters<typeof isVisible>[0]): Audience => {
  if (!isVisible(entity, true)) return 'nobody';
  return audience === 'all' && !isVisible(entity) ? 'admin' : audience;
};
