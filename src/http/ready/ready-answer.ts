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

const taggedFor = (etag: string, encoding: Encoding): string => `${etag.slice(0, -1)}-${encoding}"`;

/** Of the answer that is not sent because the caller has it. */
export const unsentTag = ({ etag, bytes }: SentForm, encoding: Encoding | null): string =>
  encoding === null || !isWorthCompressing(bytes) ? etag : taggedFor(etag, encoding);

export const compressedForm = async ({ etag, bytes }: SentForm, encoding: Encoding): Promise<SentForm> => ({
  etag: taggedFor(etag, encoding),
  bytes: await compress(bytes, encoding),
});

/** Of answers that nobody keeps: those who asked together get the same one, and it is compressed once for them all. */
export function createCompressOnce() {
  const twins = new WeakMap<ReadyAnswer, Map<Encoding, Promise<SentForm>>>();
  return (answer: ReadyAnswer, encoding: Encoding): Promise<SentForm> => {
    const own = twins.get(answer) ?? new Map<Encoding, Promise<SentForm>>();
    twins.set(answer, own);
    const twin = own.get(encoding) ?? compressedForm(answer.plain, encoding);
    own.set(encoding, twin);
    return twin;
  };
}
