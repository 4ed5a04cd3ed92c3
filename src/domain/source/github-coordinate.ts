import { z } from 'zod';
import { isUrl } from '../../kernel/address/parse-url.ts';

const segment = /^[A-Za-z0-9._-]+$/;

/** `owner/repo` of a repository address, as it is spelled there; null for any other address. */
export const githubCoordinate = (url: string): string | null => {
  if (!isUrl(url)) return null;
  const { hostname, pathname } = new URL(url);
  if (hostname !== 'github.com' && hostname !== 'www.github.com') return null;
  const [, owner = '', repo = ''] = pathname.split('/');
  const name = repo.replace(/\.git$/, '');
  return segment.test(owner) && segment.test(name) ? `${owner}/${name}` : null;
};

/** As a caller names a repository (contract 8). GitHub allows 39 and 100 characters; nothing longer is one. */
export const coordinate = z
  .string()
  .regex(/^(?:github:)?[A-Za-z0-9._-]{1,100}\/[A-Za-z0-9._-]{1,100}$/, 'must be owner/repo, or github:owner/repo')
  .transform((text) => text.replace(/^github:/, ''));

export interface CoordinateParts {
  readonly owner: string;
  readonly repo: string;
}

export const coordinateParts = (text: string): CoordinateParts => {
  const [owner = '', repo = ''] = text.split('/');
  return { owner, repo };
};

/** Nobody owns a name without a letter or digit, and dots alone would lead to another place in an address. */
export const canExist = ({ owner, repo }: CoordinateParts): boolean =>
  /[a-z\d]/i.test(owner) && !/^\.{1,2}$/.test(repo);

export const repositoryUrl = (text: string): string => `https://github.com/${text}`;
