import { retryAfterMs } from '../kernel/retry-after.ts';
import { serviceName, serviceVersion } from '../kernel/service-version.ts';
import type { Clock } from '../ports/clock.ts';
import { type HttpClient, HttpFailure, type HttpResponse } from '../ports/http-client.ts';
import type { TargetCheck } from '../ports/target-check.ts';
import { EndpointFailed } from './endpoint-failed.ts';

export interface Endpoint {
  readonly http: Pick<HttpClient, 'send'>;
  readonly targets: TargetCheck;
  readonly clock: Clock;
  /** Without a slash at its end: `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}

export interface PostOptions {
  /** Of one attempt. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
  /** One attempt more is made than there are waits. */
  readonly waitsMs: readonly number[];
  /** False where whoever asks would rather ask for less than for the same again. */
  readonly retriesTimeouts?: boolean;
  /** No further attempt is made once it fires. */
  readonly signal?: AbortSignal;
}

/** Answers with what came with status 200; anything else is EndpointFailed. Redirects are not followed. */
export type PostJson = (path: string, body: object, options: PostOptions) => Promise<HttpResponse>;

/** For work that can wait. */
export const patientWaitsMs: readonly number[] = [1_000, 4_000];
/** Who asks for more patience is asked again by whoever wants the answer, later. */
const patienceMsMax = 20_000;

const transient = new Set(['limited', 'timeout', 'network', 'server_error']);

function failureOf({ status, headers }: HttpResponse, nowMs: number): EndpointFailed {
  const header = headers['retry-after'];
  const asked = header === undefined ? null : retryAfterMs(header, nowMs);
  const options = { status, retryAfterMs: asked === null ? null : Math.max(0, asked) };
  if (status === 429) return new EndpointFailed('limited', options);
  if (status >= 500) return new EndpointFailed('server_error', options);
  return new EndpointFailed(status >= 400 ? 'refused' : 'unreadable', options);
}

/** Asks any endpoint that speaks like OpenAI's. */
export function createPostJson({ http, targets, clock, baseUrl, apiKey }: Endpoint): PostJson {
  const headers = {
    'user-agent': `${serviceName}/${serviceVersion}`,
    accept: 'application/json',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };

  async function attempt(url: string, body: string, options: PostOptions): Promise<HttpResponse> {
    const { timeoutMs, answerBytesMax: bodyBytesMax } = options;
    const vetted = await targets.vet(url);
    if (vetted.kind === 'refused') throw new EndpointFailed(vetted.reason === 'dns_failed' ? 'network' : 'blocked');
    const connectTo = vetted.addresses && { connectTo: vetted.addresses };
    try {
      const response = await http.send({ method: 'POST', url, headers, body, ...connectTo, timeoutMs, bodyBytesMax });
      if (response.status !== 200) throw failureOf(response, clock.nowMs());
      return response;
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error;
      throw new EndpointFailed(error.reason === 'timeout' ? 'timeout' : 'network', { cause: error });
    }
  }

  return async (path, json, options) => {
    const { waitsMs, signal, retriesTimeouts = true } = options;
    const isTransient = ({ reason }: EndpointFailed): boolean =>
      transient.has(reason) && (retriesTimeouts || reason !== 'timeout');
    const body = JSON.stringify(json);
    for (let tries = 0; ; tries += 1) {
      signal?.throwIfAborted();
      try {
        return await attempt(`${baseUrl}${path}`, body, options);
      } catch (error) {
        const waitMs = waitsMs[tries];
        if (waitMs === undefined || !(error instanceof EndpointFailed) || !isTransient(error)) throw error;
        const patienceMs = Math.max(waitMs, error.retryAfterMs ?? 0);
        if (patienceMs > patienceMsMax) throw error;
        await clock.sleep(patienceMs, signal);
      }
    }
  };
}
