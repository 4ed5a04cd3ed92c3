import type { NameWish } from '../../kernel/command.ts';
import { domainName } from '../name/name-streams.ts';

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

/** Every name that an org with this slug and these domains holds. */
export const orgNameWishes = (slug: NameWish, { domain, aliases }: OrgDomains): Record<string, NameWish> => ({
  slug,
  ...(domain !== null && { domain: wishFor('domain', domain) }),
  ...Object.fromEntries(aliases.map((alias) => [`alias:${alias}`, wishFor('alias', alias)])),
});
