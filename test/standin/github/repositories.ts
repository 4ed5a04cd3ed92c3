/** A release as a test says what it is; the rest follows. */
export interface StandinRelease {
  readonly tag: string;
  readonly name?: string | null;
  readonly body?: string | null;
  readonly publishedAt?: string | null;
  readonly draft?: boolean;
  readonly prerelease?: boolean;
}

export interface StandinRepository {
  readonly releases?: readonly StandinRelease[];
  /** By path from the root folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly private?: boolean;
  readonly stars?: number;
  /** It is called so now. */
  readonly renamedTo?: string;
}

export interface StandinAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export const json = (value: unknown, headers: Readonly<Record<string, string>> = {}): StandinAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
});

export const notFound: StandinAnswer = {
  status: 404,
  body: JSON.stringify({ message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' }),
};

/** Who may not read or asks too often gets this body with one of several statuses. */
export const refused = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  headers,
  body: JSON.stringify({ message, documentation_url: 'https://docs.github.com/rest' }),
});

/** The first is the newest. */
const hoursBefore = (hours: number): string => new Date(Date.UTC(2026, 0, 1) - hours * 3_600_000).toISOString();

const releaseAnswer = (name: string, id: number, release: StandinRelease) => ({
  url: `https://api.github.com/repos/${name}/releases/${id}`,
  html_url: `https://github.com/${name}/releases/tag/${encodeURIComponent(release.tag)}`,
  id,
  author: { login: 'octocat', id: 1, type: 'User' },
  node_id: `RE_${id}`,
  tag_name: release.tag,
  target_commitish: 'main',
  name: release.name === undefined ? release.tag : release.name,
  draft: release.draft ?? false,
  prerelease: release.prerelease ?? false,
  created_at: hoursBefore(id),
  published_at: release.publishedAt === undefined ? hoursBefore(id) : release.publishedAt,
  assets: [],
  body: release.body === undefined ? `Notes of ${release.tag}` : release.body,
});

/** The first page is number 1; what a page lacks is told by the Link header, as GitHub does. */
function releasesPage(name: string, { releases = [] }: StandinRepository, url: URL): StandinAnswer {
  const size = Math.min(100, Number(url.searchParams.get('per_page') ?? 30));
  const page = Number(url.searchParams.get('page') ?? 1);
  const shown = releases.slice((page - 1) * size, page * size);
  const last = Math.max(1, Math.ceil(releases.length / size));
  const pageUrl = (number: number) => {
    const other = new URL(url);
    other.searchParams.set('page', String(number));
    return other.href;
  };
  const links = [
    ...(page > 1 ? [`<${pageUrl(page - 1)}>; rel="prev"`] : []),
    ...(page < last ? [`<${pageUrl(page + 1)}>; rel="next"`, `<${pageUrl(last)}>; rel="last"`] : []),
  ];
  return json(
    shown.map((release, index) => releaseAnswer(name, (page - 1) * size + index + 1, release)),
    links.length === 0 ? {} : { link: links.join(', ') },
  );
}

function contents({ files = {} }: StandinRepository, path: string, accept: string): StandinAnswer {
  const paths = Object.keys(files);
  if (path === '') {
    // Of a repository without a commit.
    if (paths.length === 0) return notFound;
    const inRoot = paths.filter((each) => !each.includes('/'));
    const entries = inRoot.map((name) => ({ type: 'file', size: files[name]!.length, name, path: name, sha: '0' }));
    return json([{ type: 'dir', size: 0, name: 'docs', path: 'docs', sha: '0' }, ...entries]);
  }
  const text = files[path];
  if (text === undefined) return notFound;
  if (accept.includes('raw')) return { status: 200, headers: { 'content-type': 'text/plain' }, body: text };
  return json({ type: 'file', name: path, encoding: 'base64', content: Buffer.from(text).toString('base64') });
}

function tree({ files = {} }: StandinRepository): StandinAnswer {
  const paths = Object.keys(files);
  // Of a repository without a commit.
  if (paths.length === 0) return refused(409, 'Git Repository is empty.');
  const folders = paths.flatMap((path) => (path.includes('/') ? [path.slice(0, path.lastIndexOf('/'))] : []));
  const entries = [
    ...[...new Set(folders)].map((path) => ({ path, mode: '040000', type: 'tree', sha: '0' })),
    ...paths.map((path) => ({ path, mode: '100644', type: 'blob', sha: '0', size: files[path]!.length })),
  ];
  return json({ sha: '0', tree: entries, truncated: false });
}

/** As the host of raw files answers: `/owner/repo/HEAD/path`, names in any case. */
export function rawFile(repositories: Readonly<Record<string, StandinRepository>>, url: URL): StandinAnswer {
  const [, wanted = '', path = ''] = /^\/([^/]+\/[^/]+)\/HEAD\/(.+)$/.exec(url.pathname) ?? [];
  const name = Object.keys(repositories).find((each) => each.toLowerCase() === wanted.toLowerCase());
  const text = name === undefined ? undefined : repositories[name]?.files?.[decodeURIComponent(path)];
  if (text === undefined) return { status: 404, body: '404: Not Found' };
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text };
}

/** Names are found in any case and shown as they are spelled. */
export function answerOf(
  repositories: Readonly<Record<string, StandinRepository>>,
  url: URL,
  accept: string,
): StandinAnswer {
  const names = Object.keys(repositories);
  const byId = /^\/repositories\/(\d+)(\/.*)?$/.exec(url.pathname);
  const byName = /^\/repos\/([^/]+\/[^/]+)(\/.*)?$/.exec(url.pathname);
  const [, wanted = '', rest = ''] = byId ?? byName ?? [];
  const name =
    byId === null ? names.find((each) => each.toLowerCase() === wanted.toLowerCase()) : names[Number(wanted)];
  const repository = name === undefined ? undefined : repositories[name];
  if (name === undefined || repository === undefined) return notFound;
  const { renamedTo } = repository;
  if (renamedTo !== undefined) {
    const location = `${url.origin}/repositories/${names.indexOf(renamedTo)}${rest}${url.search}`;
    return refused(301, 'Moved Permanently', { location });
  }
  if (rest === '') {
    const [login = ''] = name.split('/');
    return json({
      id: 1,
      name: name.split('/')[1],
      full_name: name,
      owner: { login },
      private: repository.private ?? false,
      stargazers_count: repository.stars ?? 0,
    });
  }
  if (rest === '/releases') return releasesPage(name, repository, url);
  if (rest === '/git/trees/HEAD') return tree(repository);
  const path = /^\/contents(?:\/(.*))?$/.exec(rest);
  return path === null ? notFound : contents(repository, decodeURIComponent(path[1] ?? ''), accept);
}
