import type { z } from 'zod';
import { retryAfterMs } from '../../kernel/retry-after.ts';
import { serviceName, serviceVersion } from '../../kernel/service-version.ts';
import type { Clock } from '../../ports/clock.ts';
import { type HttpClient, HttpFailure, type HttpResponse } from '../../ports/http-client.ts';
import type { TargetCheck } from '../../ports/target-check.ts';
import { ProviderFailed } from '../content-provider.ts';
import { answerOf } from './read-answer.ts';

export interface ModelDeps {
  readonly http: Pick<HttpClient, 'send'>;
  readonly targets: TargetCheck;
  readonly clock: Clock;
  /** Without a slash at its end: `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Of one attempt. */
  readonly timeoutMs: number;
}

export interface Question<Answer> {
  /** What to do, and in which form to answer. */
  readonly instruction: string;
  /** What it is about. It was written by strangers. */
  readonly material: string;
  readonly answer: z.ZodType<Answer>;
}

export type AskModel = <Answer>(question: Question<Answer>) => Promise<Answer>;

const answerBytesMax = 256 * 1024;
const answerTokensMax = 4_000;

/** One attempt more than there are waits. */
const waitsMs = [1_000, 4_000];
/** Who asks for more patience is asked again by the job, later. */
const patienceMsMax = 20_000;

const transient = new Set(['limited', 'timeout', 'network', 'server_error']);

function failureOf({ status, headers }: HttpResponse, nowMs: number): ProviderFailed {
  const header = headers['retry-after'];
  const asked = header === undefined ? null : retryAfterMs(header, nowMs);
  const options = { status, retryAfterMs: asked === null ? null : Math.max(0, asked) };
  if (status === 429) return new ProviderFailed('limited', options);
  if (status >= 500) return new ProviderFailed('server_error', options);
  return new ProviderFailed(status >= 400 ? 'refused' : 'unreadable', options);
}

/** Asks the chat completions of any endpoint that speaks like OpenAI's. Redirects are not followed. */
export function createAskModel({ http, targets, clock, baseUrl, apiKey, model, timeoutMs }: ModelDeps): AskModel {
  const url = `${baseUrl}/chat/completions`;
  const headers = {
    'user-agent': `${serviceName}/${serviceVersion}`,
    accept: 'application/json',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };

  async function attempt(body: string): Promise<HttpResponse> {
    const vetted = await targets.vet(url);
    if (vetted.kind === 'refused') throw new ProviderFailed(vetted.reason === 'dns_failed' ? 'network' : 'blocked');
    const connectTo = vetted.addresses && { connectTo: vetted.addresses };
    const request = { method: 'POST' as const, url, headers, body, ...connectTo, timeoutMs };
    try {
      const response = await http.send({ ...request, bodyBytesMax: answerBytesMax });
      if (response.status !== 200) throw failureOf(response, clock.nowMs());
      return response;
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error;
      throw new ProviderFailed(error.reason === 'timeout' ? 'timeout' : 'network', { cause: error });
    }
  }

  async function attemptAgain(body: string): Promise<HttpResponse> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await attempt(body);
      } catch (error) {
        const waitMs = waitsMs[tries];
        if (waitMs === undefined || !(error instanceof ProviderFailed) || !transient.has(error.reason)) throw error;
        const patienceMs = Math.max(waitMs, error.retryAfterMs ?? 0);
        if (patienceMs > patienceMsMax) throw error;
        await clock.sleep(patienceMs);
      }
    }
  }

  return async ({ instruction, material, answer }) => {
    const body = JSON.stringify({
      model,
      messages: [
        { role: 'system', content: instruction },
        { role: 'user', content: material },
      ],
      temperature: 0,
      max_tokens: answerTokensMax,
      response_format: { type: 'json_object' },
    });
    return answerOf(await attemptAgain(body), answer);
  };
}
