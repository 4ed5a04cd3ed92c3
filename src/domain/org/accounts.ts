import { z } from 'zod';
import { lineText } from '../../kernel/text-rules.ts';

/** An account of an org on another platform. */
export interface OrgAccount {
  readonly platform: string;
  /** As it was written when it was linked; platforms do not tell apart what differs in case only. */
  readonly handle: string;
}

export interface LinkedAccount extends OrgAccount {
  readonly linkedAt: string;
}

export const accountFields = z.strictObject({
  // A colon parts the two in what they are known by.
  platform: lineText(1, 40)
    .toLowerCase()
    .refine((text) => !text.includes(':'), { error: 'must not hold a colon' }),
  handle: lineText(1, 200),
});

/** What two links have in common that are of one account; also how a conflict names it. */
export const accountKey = ({ platform, handle }: OrgAccount): string =>
  `${platform.toLowerCase()}:${handle.toLowerCase()}`;

/** Each is a name that a change of the org looks at. */
export const accountsMax = 100;

/** Accounts are in the order in which they were linked. */
export const oldestAccountOn = (accounts: readonly OrgAccount[], platform: string): OrgAccount | undefined =>
  accounts.find((account) => account.platform === platform.toLowerCase());

/** Contract 2.12. */
export const githubHandleOf = (accounts: readonly OrgAccount[]): string | null =>
  oldestAccountOn(accounts, 'github')?.handle ?? null;
