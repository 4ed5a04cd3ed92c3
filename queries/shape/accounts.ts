import type { OrgDocument } from '../../projections/org/org.ts';
import { compareAlphabetically } from '../../src/domain/alphabetical.ts';

/** By platform and handle (contract 2.6). */
export const shownAccounts = ({ accounts }: OrgDocument) =>
  accounts
    .map(({ platform, handle }) => ({ platform, handle }))
    .sort((a, b) => compareAlphabetically(a.platform, b.platform) || compareAlphabetically(a.handle, b.handle));
