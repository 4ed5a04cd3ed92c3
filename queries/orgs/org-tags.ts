import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { resolveOrg } from '../../src/catalogue/resolve.ts';
import { alphabeticalSet } from '../../src/domain/alphabetical.ts';
import { pageOf } from '../../src/kernel/paging/page.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';

export const orgTagsReads = catalogueReads;

export const orgTags = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  input: { readonly org: string; readonly page: number; readonly limit: number },
  { admin }: Pick<Asking, 'admin'>,
) => pageOf(alphabeticalSet(resolveOrg(catalogue, input.org, admin).tags), input);
