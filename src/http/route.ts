import type { ZodObject, ZodType, z } from 'zod';
import type { CommandRequest } from '../kernel/command.ts';
import type { Projection } from '../kernel/projection.ts';
import type { Caller } from './caller.ts';
import type { DocumentType } from './negotiate.ts';
import type { Services } from './services.ts';

/** What a caller must have: nothing, any valid credential, or a rung of the ladder. */
export type Access = 'public' | 'credential' | 'write' | 'admin';

/** Rows of contract 16.5; `none` = `private, no-store`. */
export type CacheClass = 'entity' | 'activity' | 'search' | 'slow' | 'document' | 'none';

export interface RouteRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Query parameters as sent: a cursor holds for the same ones only. */
  readonly sent: Readonly<Record<string, string>>;
  readonly caller: Caller;
  readonly admin: boolean;
  readonly nowMs: number;
  readonly minPosition: number | null;
  /** The same for every repeat of this request with the same Idempotency-Key. */
  readonly command: CommandRequest;
  /** It came with such a key: whoever did not get its answer may send it again. */
  readonly isRepeatable: boolean;
  /** No other form is made of the answer: it may have `json` instead of `body`. */
  readonly isJsonEnough: boolean;
}

/** The date of a text. */
export interface LastModified {
  readonly atMs: number;
  /** There was never another text with this date: whoever has the date has this one. */
  readonly isProof: boolean;
  /** When it last became another text, whatever its date says: who had it later has this one. */
  readonly changedMs: number;
}

export interface Answer {
  readonly status: number;
  /** JSON; absent for 204. */
  readonly body?: unknown;
  /** The JSON itself, where it is put together from ready parts: instead of `body`. Bytes are sent as they are. */
  readonly json?: string | Buffer;
  /** Sent instead of the JSON. */
  readonly document?: { readonly type: DocumentType; readonly text: string };
  readonly lastModified?: LastModified;
  /** Set by writes. */
  readonly position?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Releases and entities whose text is in the body: when one is gone for good, an answer that was kept for repeats goes too. */
  readonly releaseIds?: readonly string[];
  /** Made without a part that was away: it is not kept for anybody else. */
  readonly isMakeshift?: boolean;
  /** It is kept ready for no longer, whatever its route says: a part of it was made before. */
  readonly keptMsMax?: number;
}

// What takes parsed input is a method, not a property: so a list can hold routes of any input.
export interface Route<Params = unknown, Query = unknown, Body = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As the router takes it: below `/v1`, or below the host root for the routes that are served there. */
  readonly path: string;
  /** A part of the reference. */
  readonly tag: string;
  readonly summary: string;
  /** For the reference: what a reader must know that neither the parameters nor the schema of the answer tell. */
  readonly description?: string;
  /** Goes beyond the interface that was asked for. */
  readonly extension: boolean;
  readonly access: Access;
  readonly params: ZodType<Params>;
  readonly query: ZodType<Query> & { readonly shape: Readonly<Record<string, unknown>> };
  readonly body?: ZodType<Body>;
  /** A body may be left out. */
  readonly bodyOptional?: boolean;
  readonly bodyBytesMax: number;
  /** Names an option of the input that only an admin may use, if one was used. */
  adminOption?(input: { readonly query: Query; readonly body: Body }): string | undefined;
  /** Takes an Idempotency-Key: a POST that creates or enqueues. */
  readonly idempotent: boolean;
  readonly cache: CacheClass;
  /** How long an answer is kept ready; the max-age of its class when absent. */
  readonly keptMs?: number;
  /**
   * From the first time on and as long as it is good, however much else is asked for. Only where all who ask get one and the
   * same answer: there is no bound to how many are kept so but that of all.
   */
  readonly isAlwaysKept?: boolean;
  /** Such a request is never answered from what is kept, nor its answer kept. */
  bypasses?(asked: { readonly query: Query; readonly sent: Readonly<Record<string, string>> }): boolean;
  /** The answer as a document, for callers who prefer it to JSON. */
  markdown?(body: unknown, request: RouteRequest<Params, Query, Body>, services: Services): Promise<string>;
  /** Answers with a document of this type and never with JSON. */
  readonly documentType?: DocumentType;
  /** Named in the reference beside the headers that follow from the rest of the definition. */
  readonly ownHeaders?: readonly ('X-Robots-Tag' | 'Link')[];
  /** Counts for the rate limit of its caller: all but health and documents (contract 17). */
  readonly isCounted: boolean;
  /** The read models behind the answer: `X-Service-Min-Position` waits for these. */
  readonly reads: readonly Projection[];
  /** Every status that a well-formed call can get, with the schema of its body; null = no body. */
  readonly responses: Readonly<Record<number, ZodType | null>>;
  handle(request: RouteRequest<Params, Query, Body>, services: Services): Promise<Answer>;
}

/** Whether its answers are kept ready for everybody. What is searched for changes without read models, and is seldom the same. */
export const isKeepable = ({ method, access, cache }: Pick<Route, 'method' | 'access' | 'cache'>): boolean =>
  method === 'GET' && access === 'public' && cache !== 'none' && cache !== 'search';

export const bodyBytesDefault = 1024 * 1024;
/** Release batches and changelog files (contract 1.5). */
export const bodyBytesLarge = 8 * 1024 * 1024;

type RouteDefaults = 'extension' | 'bodyBytesMax' | 'idempotent' | 'cache' | 'isCounted' | 'reads';

type RouteSpec<P, Q, B> = Omit<Route<P, Q, B>, RouteDefaults> & Partial<Pick<Route<P, Q, B>, RouteDefaults>>;

/** One definition makes validation, the OpenAPI document and the check of every response in tests. */
export function defineRoute<P extends ZodObject, Q extends ZodObject, Body = undefined>(
  spec: Omit<RouteSpec<z.output<P>, z.output<Q>, Body>, 'params' | 'query'> & { readonly params: P; readonly query: Q },
): Route {
  const defaults = {
    extension: false,
    bodyBytesMax: bodyBytesDefault,
    idempotent: false,
    cache: 'none' as const,
    isCounted: true,
    reads: [],
  };
  return { ...defaults, ...spec };
}
