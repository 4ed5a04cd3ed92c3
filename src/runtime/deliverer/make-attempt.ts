import type { AttemptResult } from '../../delivery/next-step.ts';
import { signedHeaders } from '../../delivery/sign.ts';
import type { TargetGuard } from '../../delivery/target-guard.ts';
import type { Clock } from '../../ports/clock.ts';
import { type HttpClient, HttpFailure } from '../../ports/http-client.ts';
import type { Log } from '../../ports/log.ts';

export interface AttemptToMake {
  readonly eventId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly signingKey: Uint8Array;
  readonly body: string;
}

export interface MadeAttempt {
  readonly result: AttemptResult;
  /** When it began. */
  readonly atMs: number;
  readonly latencyMs: number;
}

export interface MakeAttemptDeps {
  readonly http: HttpClient;
  readonly targets: Pick<TargetGuard, 'vet'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** For connecting, sending and the answer (contract 13.7). */
const timeoutMs = 10_000;
const bodyBytesMax = 16 * 1024;

/** Sends once, to an address that was found harmless a moment ago, and tells how that ended. */
export const createMakeAttempt = ({ http, targets, clock, log }: MakeAttemptDeps) => {
  async function send({ eventId, url, signingKey, body }: AttemptToMake, atMs: number): Promise<AttemptResult> {
    const vetted = await targets.vet(url);
    if (vetted.kind === 'refused') {
      return vetted.reason === 'dns_failed' ? { kind: 'failure', reason: 'dns' } : { kind: 'blocked' };
    }
    const timestamp = Math.floor(atMs / 1_000);
    const response = await http.send({
      method: 'POST',
      url,
      headers: signedHeaders({ key: signingKey, eventId, timestamp, body }),
      body,
      ...(vetted.addresses && { connectTo: vetted.addresses }),
      timeoutMs,
      bodyBytesMax,
    });
    return {
      kind: 'answer',
      status: response.status,
      retryAfter: response.headers['retry-after'] ?? null,
      body: new TextDecoder().decode(response.body),
    };
  }

  const failureOf = (error: unknown, { eventId, webhookId }: AttemptToMake): AttemptResult => {
    if (error instanceof HttpFailure) return { kind: 'failure', reason: error.reason };
    // A mistake of ours. An attempt that does not end would be made again for ever, so it ends as a failed one. The kind
    // of the error only is told: its text may hold the address of the receiver.
    const kind = error instanceof Error ? error.name : typeof error;
    log.error('an attempt to deliver failed in a way that nobody foresaw', { eventId, webhookId, kind });
    return { kind: 'failure', reason: 'network' };
  };

  return async (attempt: AttemptToMake): Promise<MadeAttempt> => {
    const atMs = clock.nowMs();
    const result = await send(attempt, atMs).catch((error: unknown) => failureOf(error, attempt));
    // A clock may be set back meanwhile.
    return { result, atMs, latencyMs: Math.max(0, clock.nowMs() - atMs) };
  };
};
