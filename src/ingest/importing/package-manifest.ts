import { isHttpUrl } from '../../domain/web-address.ts';

/** What a package.json tells about where a package comes from. */
export interface PackageManifest {
  readonly name: string | null;
  /** The web address of its repository, without `.git`. */
  readonly repositoryUrl: string | null;
  readonly homepage: string | null;
}

const hosts: Readonly<Record<string, string>> = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
  bitbucket: 'https://bitbucket.org',
};

const packageName = /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/i;

const webUrl = (text: string): string | null => {
  if (!isHttpUrl(text)) return null;
  const { protocol, host, pathname } = new URL(text);
  const scheme = host === 'github.com' ? 'https:' : protocol;
  return `${scheme}//${host}${pathname.replace(/(?:\.git)?\/*$/, '')}`;
};

/** All the ways in which npm lets one name a repository. */
export const repositoryWebUrl = (text: string): string | null => {
  const spelled = text.trim().replace(/#.*$/, '');
  const short = /^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/.exec(spelled);
  if (short !== null) return webUrl(`${hosts[short[1] ?? 'github']}/${short[2]}`);
  const ssh = /^(?:git\+)?(?:ssh:\/\/)?git@([\w.-]+)[:/](.+)$/.exec(spelled);
  if (ssh !== null) return webUrl(`https://${ssh[1]}/${ssh[2]}`);
  return webUrl(spelled.replace(/^git\+/, '').replace(/^(?:git|ssh):\/\//, 'https://'));
};

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Takes what is usable of a parsed package.json and leaves the rest. */
export const readPackageManifest = (json: unknown): PackageManifest => {
  const { name, repository, homepage } = (json ?? {}) as Record<string, unknown>;
  const named = textOf(name);
  const repositoryText = textOf(repository) ?? textOf((repository as { url?: unknown } | null | undefined)?.url);
  const page = textOf(homepage);
  return {
    name: named !== null && named.length <= 214 && packageName.test(named) ? named : null,
    repositoryUrl: repositoryText === null ? null : repositoryWebUrl(repositoryText),
    homepage: page !== null && isHttpUrl(page) ? page : null,
  };
};
