import type { Places } from '../../concurrency/shared-memory/touched-tags.ts';
import type { LastModified } from '../route.ts';
import type { Encoding } from './accepted-forms.ts';
import { compress, isWorthCompressing } from './compress.ts';

/** What leaves, but for what each request has of its own. */
export interface SentForm {
  readonly etag: string;
  readonly bytes: Buffer;
}

/** An answer as it is sent, and for how long it is good. */
export interface ReadyAnswer {
  /** Only those with 200 are kept. */
  readonly status: number;
  /** Names and values of what this answer alone says. */
  readonly headers: Readonly<Record<string, string>>;
  readonly plain: SentForm;
  readonly lastModified: LastModified | undefined;
  /** By the pattern that took the request. */
  readonly routeNumber: number;
  readonly goodFor: GoodFor;
}

/** Of a fill: what it saw, and until when that holds. */
export interface GoodFor {
  /** Of the tags of all that it was made of. */
  readonly places: Places;
  /** The stamp when it was begun, and how often all had been forgotten by then. */
  readonly stamp: number;
  readonly epoch: number;
  readonly madeMs: number;
  /** Exclusive. */
  readonly untilMs: number;
}

/**
 * The same in objects of its own, to be kept. V8 learns by the place in the code which objects stay, and makes all later ones of that
 * place where only a whole collection frees them: an answer that is sent once must not share its places with those that are kept.
 */
export const copyToKeep = ({ headers, plain, goodFor, ...answer }: ReadyAnswer): ReadyAnswer => ({
  status: answer.status,
  headers: { ...headers },
  plain: { etag: plain.etag, bytes: plain.bytes },
  lastModified: answer.lastModified,
  routeNumber: answer.routeNumber,
  goodFor: {
    places: goodFor.places,
    stamp: goodFor.stamp,
    epoch: goodFor.epoch,
    madeMs: goodFor.madeMs,
    untilMs: goodFor.untilMs,
  },
});

const taggedFor = (etag: string, encoding: Encoding): string => `${etag.slice(0, -1)}-${encoding}"`;

/** Of the answer that is not sent because the caller has it. */
export const unsentTag = ({ etag, bytes }: SentForm, encoding: Encoding | null): string =>
  encoding === null || !isWorthCompressing(bytes) ? etag : taggedFor(etag, encoding);

export const compressedForm = async ({ etag, bytes }: SentForm, encoding: Encoding): Promise<SentForm> => ({
  etag: taggedFor(etag, encoding),
  bytes: await compress(bytes, encoding),
});
