import { type PlaybookDocument, playbooksProjection } from '../projections/playbooks/playbooks.ts';
import type { QueryDeps } from './shape/query-deps.ts';

export const shownPlaybook = (written: PlaybookDocument | undefined) =>
  written === undefined ? null : { scope: 'playbook' as const, content: written.content, updatedAt: written.updatedAt };

/** For callers with a credential only. */
export const playbookOf = async ({ models }: Pick<QueryDeps, 'models'>, orgId: string) => {
  const [written] = await models.of(playbooksProjection).get([orgId]);
  return shownPlaybook(written);
};
