const segment = /^[A-Za-z0-9._-]+$/;

/** `owner/repo` of a repository address, as it is spelled there; null for any other address. */
export const githubCoordinate = (url: string): string | null => {
  if (!URL.canParse(url)) return null;
  const { hostname, pathname } = new URL(url);
  if (hostname !== 'github.com' && hostname !== 'www.github.com') return null;
  const [, owner = '', repo = ''] = pathname.split('/');
  const name = repo.replace(/\.git$/, '');
  return segment.test(owner) && segment.test(name) ? `${owner}/${name}` : null;
};
