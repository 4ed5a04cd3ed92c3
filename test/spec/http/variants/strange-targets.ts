/** A plain request of a route, in parts. */
export interface PlainTarget {
  readonly path: string;
  /** As it was sent, each still encoded. */
  readonly pairs: readonly string[];
}

export const targetOf = ({ path, pairs }: PlainTarget): string =>
  pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;

const percent = (letter: string): string => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`;

const lastSegment = (path: string): number => path.lastIndexOf('/') + 1;

/** Other ways to write a path: some mean the same, most do not. */
function otherPaths(path: string): string[] {
  const at = lastSegment(path);
  const [before, last] = [path.slice(0, at), path.slice(at)];
  const encoded = last.replace(/[a-z]/g, percent);
  return [
    before + percent(last.charAt(0)) + last.slice(1),
    before + encoded,
    before + encoded.toUpperCase(),
    before + percent(encoded.charAt(0)) + encoded.slice(1), // encoded twice
    before + last.toUpperCase(),
    path.replace('/v1', '/V1').replace('/orgs', '/Orgs'),
    `${path}/`,
    `${path}//`,
    `/${path}`,
    path.replace(/\/(?=[^/]+$)/, '%2f'),
    path.replace(/\/(?=[^/]+$)/, '//'),
    path.replace(/\/(?=[^/]+$)/, '/./'),
    `${before}x/../${last}`,
    path.replaceAll('/', '\\'),
    `${path};a=b`,
    `${path}.json`,
    `${path}.md`,
    `${path}.atom`,
    `${path}%00`,
    `${path}%0d%0aX-Poison:1`,
    `${path}%20`,
    `${path}+`,
    `${path}%23x`,
    `${path}%3flimit=1`,
    `${path}%ff`,
    `${path}%`,
    `${path}%c3%a9`,
    `${path}e%cc%81`,
    `${path}\xe9`,
    `${path}\x00`,
    `${path}\x01`,
    `${path}\x7f`,
    `http://registry.example${path}`,
    `http://evil.example${path}`,
    `https://u:p@evil.example:444${path}`,
    `HTTP://evil.example${path}`,
  ];
}

const long = 'x'.repeat(3_000);

/** Behind whatever the plain request sends. */
const furtherPairs: readonly string[] = [
  'utm_source=x',
  'utm_source=x&utm_source=y',
  'limit=1',
  'limit=1&limit=1',
  'limit=1&limit=2',
  'limit=2&utm=1',
  'utm=1&limit=2',
  'limit=',
  'limit',
  'LIMIT=1',
  'Limit=1',
  '%6cimit=1',
  '%6Cimit=1',
  'limit=%31',
  'limit=+1',
  'limit=%201',
  'limit=01',
  'limit=1.0',
  'limit=-1',
  'limit=1e1',
  'limit=99999999999999999999999',
  'limit[]=1',
  'limit=1;utm=1',
  'limit=1%26utm=1',
  'limit%3d1',
  'page=1',
  'page=2',
  'pageSize=1',
  'cursor=junk',
  'cursor=',
  'include_prereleases=TRUE',
  'include_prereleases=1&include_coverage=true',
  'include_coverage=true&include_prereleases=1',
  'include_hidden=true',
  'asOf=2026-01-01',
  'asof=2026-01-01',
  'days=7',
  'count=10',
  'count=11',
  'since=2020-01-01',
  'from=2026-01-01',
  'type=github',
  'kind=sdk',
  'q=a+b',
  'q=a%20b',
  'q=%00',
  'q=%ff',
  'q=%ED%A0%80',
  'x=%00',
  'x=%zz',
  'x=\xff',
  'x=\x00',
  '_method=DELETE',
  'format=md',
  'callback=x',
  '__proto__=1',
  'constructor=1',
  'hasOwnProperty=1',
  `x=${long}`,
  `limit=1&x=${long}`,
  `x=${long.repeat(6)}`, // more than the server takes
];

/** Targets that may be mistaken for the plain one, or that may be taken for each other. */
export function strangeTargets({ path, pairs }: PlainTarget): string[] {
  const query = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  const further = pairs.length === 0 ? '?' : `${query}&`;
  const first = pairs[0] ?? 'limit=1';
  const [name = '', value = ''] = first.split('=');
  return [
    ...otherPaths(path).map((other) => other + query),
    ...furtherPairs.map((pair) => `${path}${further}${pair}`),
    `${path}?${[...pairs].reverse().join('&')}`,
    `${path}?utm=1&${pairs.join('&')}`,
    `${path}?${pairs.join('&&')}&`,
    `${path}?${pairs.map((pair) => percent(pair.charAt(0)) + pair.slice(1)).join('&')}`,
    `${path}?${name}=${value.replace(/[A-Za-z]/g, percent)}`,
    `${path}?${name}=${value.toUpperCase()}`,
    `${path}?${name.toUpperCase()}=${value}`,
    `${path}?${name}=`,
    `${path}?${name}`,
    `${path}?${first}&${first}`,
    `${path}?${first}&${name}=other`,
    `${path}?${first}%20`,
    `${path}?${first}+`,
    `${path}${further}&`,
    `${path}?=`,
    `${path}${query}#limit=1`,
    `${path}#${query}`,
    `${path}??${pairs.join('&')}`,
  ];
}
