import type { Context } from 'koa';
import { fieldLine, type ReadyResponse } from './ready/ready-head.ts';

type Request = Context['req'];

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

/** One that is sent without Koa. */
export interface ReadExchange extends Exchange {
  /** As Koa ends an answer: what has no content says nothing of it. */
  readonly send: () => void;
}

/**
 * A GET that goes without Koa, whose context costs as much as the rest of the way to a route. What is said with the answer is
 * put together as lines: Node would look at each field when it is set, and at each again when it is sent.
 */
export function createReadExchange(req: Request, res: ReadyResponse, addressed: AddressedRead): ReadExchange {
  /** By their names in small letters. */
  const lines = new Map<string, string>();
  const setOne = (name: string, value: string): void => void lines.set(name.toLowerCase(), fieldLine(name, value));
  function set(names: string | Readonly<Record<string, string>>, value = ''): void {
    if (typeof names === 'string') setOne(names, value);
    else for (const name of Object.keys(names)) setOne(name, names[name] ?? '');
  }
  function end(status: number, body: Buffer | null): void {
    let all = '';
    for (const line of lines.values()) all += line;
    res.endReady(status, all, body);
  }
  const exchange: ReadExchange = {
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
    remove: (name) => void lines.delete(name.toLowerCase()),
    send: () => {
      if (res.headersSent) return; // its connection broke, or it took too long: that was said already
      const { status, body } = exchange;
      if (Buffer.isBuffer(body) && !isBodyless(status)) {
        end(status, body);
        return;
      }
      exchange.remove('Content-Type');
      end(status, isBodyless(status) ? null : noBytes);
    },
  };
  return exchange;
}

const noBytes = Buffer.alloc(0);

const isBodyless = (status: number): boolean => status === 204 || status === 304;
