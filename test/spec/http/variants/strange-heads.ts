import type { RawRequest } from './raw-request.ts';

/** What a request may have beside its target. */
export type RequestHead = Omit<RawRequest, 'target'>;

type Header = RawRequest['headers'][number];

const get = (...headers: readonly Header[]): RequestHead => ({ method: 'GET', headers });

const accepted: readonly string[] = [
  '*/*',
  'application/json',
  'APPLICATION/JSON',
  'text/markdown',
  'Text/Markdown; charset=UTF-8',
  'text/markdown;q=0.5, application/json;q=0.4',
  'text/markdown;q=0.4, application/json;q=0.5',
  'text/markdown;q=0',
  'text/*',
  'text/html, */*;q=0.1',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'application/atom+xml',
  'application/*;q=0.1, text/markdown;q=0.2',
  'image/png',
  'junk',
  ',',
  'text/markdown;q=x',
  `text/markdown, ${'a/b, '.repeat(100)}*/*`,
];

const acceptedEncodings: readonly string[] = [
  '',
  'gzip',
  'GZIP',
  'br',
  'gzip, deflate, br',
  'br;q=0.5, gzip;q=0.9',
  'br;q=0.9, gzip;q=0.5',
  'gzip;q=0',
  'gzip;q=0, br;q=0',
  'identity',
  'identity;q=0',
  'identity;q=0, gzip',
  '*',
  '*;q=0',
  'br;q=1.0, *;q=0',
  'zstd',
  'x-gzip',
  'gzip;q=junk',
];

/** What proxies add, or what is said to be from one. */
const forwarded: readonly Header[] = [
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Forwarded-Proto', 'http'],
  ['X-Forwarded-For', '10.0.0.1'],
  ['X-Forwarded-Port', '81'],
  ['X-Forwarded-Prefix', '/evil'],
  ['X-Forwarded-Scheme', 'nothttps'],
  ['Forwarded', 'for=1.2.3.4;host=evil.example;proto=http'],
  ['X-Original-URL', '/v1/orgs'],
  ['X-Rewrite-URL', '/v1/orgs'],
  ['X-Host', 'evil.example'],
  ['Via', '1.1 evil.example'],
];

const others: readonly Header[] = [
  ['Host', 'evil.example'],
  ['Host', 'evil.example:81'],
  ['Host', ''],
  ['Accept-Language', 'de, en;q=0.5'],
  ['Accept-Charset', 'utf-16'],
  ['User-Agent', 'curl/8'],
  ['Range', 'bytes=0-9'],
  ['If-Range', '"x"'],
  ['If-Match', '"x"'],
  ['Cache-Control', 'no-cache'],
  ['Cache-Control', 'only-if-cached'],
  ['Pragma', 'no-cache'],
  ['Origin', 'https://stranger.example'],
  ['Origin', 'https://trusted.example'],
  ['Origin', 'null'],
  ['X-Service-Min-Position', ''],
  ['X-Service-Min-Position', '0'],
  ['X-Service-Min-Position', 'junk'],
  ['X-Service-Timing', '1'],
  ['Idempotency-Key', 'a-key-of-this-test'],
  ['Content-Type', 'text/plain'],
  ['Content-Length', '0'],
  ['Upgrade', 'h2c'],
  ['Connection', 'close'],
  ['X-Junk', 'x'.repeat(4_000)],
  ['X-Junk', 'a\x00b'],
  ['X-Junk', 'a\x01b'],
  ['Bad Name', 'x'],
];

const otherMethods: readonly RequestHead[] = [
  { method: 'HEAD', headers: [] },
  { method: 'HEAD', headers: [['Accept-Encoding', 'gzip']] },
  { method: 'HEAD', headers: [['Accept', 'text/markdown']] },
  { method: 'OPTIONS', headers: [] },
  {
    method: 'OPTIONS',
    headers: [
      ['Origin', 'https://stranger.example'],
      ['Access-Control-Request-Method', 'GET'],
    ],
  },
  {
    method: 'POST',
    headers: [
      ['X-HTTP-Method-Override', 'GET'],
      ['Content-Length', '2'],
    ],
    body: '{}',
  },
  get(['X-HTTP-Method-Override', 'DELETE'], ['X-Method-Override', 'HEAD']),
  { method: 'PUT', headers: [['Content-Length', '0']] },
  { method: 'DELETE', headers: [] },
  { method: 'get', headers: [] },
  { method: 'TRACE', headers: [] },
  { method: 'GET', headers: [], version: '1.0' },
  { method: 'GET', headers: [['Connection', 'keep-alive']], version: '1.0' },
  { method: 'GET', headers: [['Content-Length', '4']], body: 'junk' },
  { method: 'GET', headers: [['Transfer-Encoding', 'chunked']], body: '4\r\njunk\r\n0\r\n\r\n' },
  get(['Accept', 'text/markdown'], ['Accept', 'application/json']),
  get(['Accept-Encoding', 'gzip'], ['Accept-Encoding', 'identity;q=0']),
  get(['Accept', 'text/markdown'], ['Accept-Encoding', 'gzip']),
  get(['Accept', 'text/markdown'], ['Accept-Encoding', 'br']),
];

/** What a client may have kept, of this variant of an answer or of another one. */
export interface KnownValidators {
  readonly etags: readonly string[];
  readonly lastModified: readonly string[];
}

const conditions = ({ etags, lastModified }: KnownValidators): Header[] => [
  ...etags.flatMap((etag): Header[] => {
    const bare = etag.slice(1, -1);
    return ['', '-gzip', '-br'].map((form) => ['If-None-Match', `"${bare}${form}"`]);
  }),
  ...etags.map((etag): Header => ['If-None-Match', `W/${etag}, "other"`]),
  ['If-None-Match', '*'],
  ['If-None-Match', '"other"'],
  ['If-None-Match', ''],
  ...lastModified.map((date): Header => ['If-Modified-Since', date]),
  ['If-Modified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['If-Modified-Since', 'junk'],
];

export const strangeHeads = (known: KnownValidators): RequestHead[] => [
  get(),
  ...accepted.map((types) => get(['Accept', types])),
  ...acceptedEncodings.map((encodings) => get(['Accept-Encoding', encodings])),
  ...forwarded.map((header) => get(header)),
  ...others.map((header) => get(header)),
  ...conditions(known).map((header) => get(header)),
  ...conditions(known).map((header) => get(header, ['Accept-Encoding', 'gzip'])),
  ...otherMethods,
];
