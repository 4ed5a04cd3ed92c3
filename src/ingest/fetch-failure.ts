import { cutText } from '../kernel/text-rules.ts';
import type { ContactStatus } from './fetch-delay.ts';
import type { FetchFailed, FetchFailureReason } from './fetch-failed.ts';

/** What is made of a failure. */
export interface FetchFailure {
  readonly status: Exclude<ContactStatus, 'success' | 'no_change'>;
  readonly error: string;
  readonly isClientError: boolean;
  readonly retryAfterMs: number | null;
}

/** Contract 15.4. */
const errorCharsMax = 500;

const sentences: Readonly<Record<FetchFailureReason, string>> = {
  limited: 'The third party asks for fewer requests.',
  timeout: 'No whole answer came in time.',
  network: 'The connection failed.',
  dns: 'The host has no address.',
  tls: 'The certificate or the encryption of the host cannot be used.',
  blocked: 'The address, or one that it leads to, is not one to go to.',
  refused: 'The third party does not let us in.',
  server_error: 'The third party failed.',
  unreadable: 'The answer is not what a source of this type answers with.',
  too_large: 'The answer is larger than what is read of one.',
};

const statuses: Readonly<Partial<Record<FetchFailureReason, FetchFailure['status']>>> = {
  timeout: 'timeout',
  blocked: 'blocked',
  refused: 'blocked',
};

/** Says nothing of addresses and headers, which may hold credentials. */
export function fetchFailureOf({ reason, status, retryAfterMs, sentence }: FetchFailed): FetchFailure {
  // Where the answer itself was fine, what is said of it says more than its status.
  const isPlain = status === null || (sentence !== null && status < 400);
  const answered = isPlain ? '' : ` It answered with the status ${status}.`;
  return {
    status: statuses[reason] ?? 'error',
    error: cutText(`${sentence ?? sentences[reason]}${answered}`, errorCharsMax),
    isClientError: reason !== 'limited' && status !== null && status >= 400 && status < 500,
    retryAfterMs,
  };
}

/** Of a mistake of our own: the log has it whole. */
export const ownFailure: FetchFailure = {
  status: 'error',
  error: 'Something failed on our side; the log of the service tells more.',
  isClientError: false,
  retryAfterMs: null,
};
