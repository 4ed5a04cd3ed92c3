import type { Context } from 'koa';

type Request = Context['req'];
type Response = Context['res'];

/** A request and its answer, as far as routes and what stands before them know them. Koa's context is one. */
export interface Exchange {
  readonly req: Request;
  readonly method: string;
  readonly path: string;
  /** Without its question mark. */
  readonly querystring: string;
  /** Of the path, once a route has taken it. */
  readonly params?: unknown;
  readonly state: Record<string, unknown>;
  status: number;
  body?: unknown;
  /** A header as it was sent; '' when it was not. Names are in small letters. */
  get(name: string): string;
  set(name: string, value: string): void;
  set(headers: Readonly<Record<string, string>>): void;
  remove(name: string): void;
}

export interface AddressedRead {
  readonly path: string;
  readonly querystring: string;
  readonly params: unknown;
}

/** A GET that goes without Koa, whose context costs as much as the rest of the way to a route. */
export function createReadExchange(req: Request, res: Response, addressed: AddressedRead): Exchange {
  function set(names: string | Readonly<Record<string, string>>, value = ''): void {
    if (typeof names === 'string') res.setHeader(names, value);
    else for (const name of Object.keys(names)) res.setHeader(name, names[name] ?? '');
  }
  return {
    req,
    method: 'GET',
    path: addressed.path,
    querystring: addressed.querystring,
    params: addressed.params,
    state: {},
    status: 404,
    body: undefined,
    get: (name) => (req.headers[name] as string | undefined) ?? '',
    set,
    remove: (name) => res.removeHeader(name),
  };
}

const bodyless: ReadonlySet<number> = new Set([204, 205, 304]);

/** As Koa ends an answer: what has no content says nothing of it. */
export function endRead({ status, body }: Exchange, res: Response): void {
  res.statusCode = status;
  if (Buffer.isBuffer(body) && !bodyless.has(status)) {
    res.setHeader('Content-Length', body.length);
    res.end(body);
    return;
  }
  res.removeHeader('Content-Type');
  if (!bodyless.has(status)) res.setHeader('Content-Length', 0);
  res.end();
}
