import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { resolveOrg } from '../../src/catalogue/resolve.ts';
import { oldestAccountOn } from '../../src/domain/org/accounts.ts';
import { pageOf } from '../../src/kernel/paging/page.ts';
import { shownAccounts } from '../shape/accounts.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';

export interface OrgAccountsInput {
  readonly org: string;
  /** In any case; all of them when null. */
  readonly platform: string | null;
  readonly page: number;
  readonly limit: number;
}

export const orgAccountsReads = catalogueReads;

/** A page of the linked accounts of an org; of one platform the one that was linked first, or null (contract 3.5). */
export const orgAccounts = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  input: OrgAccountsInput,
  { admin }: Pick<Asking, 'admin'>,
) => {
  const org = resolveOrg(catalogue, input.org, admin);
  if (input.platform === null) return pageOf(shownAccounts(org), input);
  const oldest = oldestAccountOn(org.accounts, input.platform);
  return oldest === undefined ? null : { platform: oldest.platform, handle: oldest.handle };
};
