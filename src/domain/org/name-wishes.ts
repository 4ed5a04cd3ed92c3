import type { NameWish } from '../../kernel/command.ts';
import { domainName, handleName } from '../name/name-streams.ts';
import { accountKey, type OrgAccount } from './accounts.ts';

export interface OrgDomains {
  readonly domain: string | null;
  readonly aliases: readonly string[];
}

/** A domain is the primary one or an alias, never both: it can be claimed only once. */
export const distinctDomains = ({ domain, aliases }: OrgDomains): OrgDomains => ({
  domain,
  aliases: aliases.filter((alias) => alias !== domain),
});

const wishFor = (field: string, domain: string): NameWish => ({
  field,
  candidates: [{ value: domain, stream: domainName(domain) }],
});

const accountWish = (account: OrgAccount): NameWish => ({
  field: 'account',
  candidates: [{ value: accountKey(account), stream: handleName(accountKey(account)) }],
});

interface OrgNames extends OrgDomains {
  readonly accounts: readonly OrgAccount[];
}

/** Every name that an org with this slug, these domains and these accounts holds. */
export const orgNameWishes = (slug: NameWish, { domain, aliases, accounts }: OrgNames): Record<string, NameWish> => ({
  slug,
  ...Object.fromEntries(accounts.map((account) => [`account:${accountKey(account)}`, accountWish(account)])),
  ...(domain !== null && { domain: wishFor('domain', domain) }),
  ...Object.fromEntries(aliases.map((alias) => [`alias:${alias}`, wishFor('alias', alias)])),
});
