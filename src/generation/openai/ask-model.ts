import type { z } from 'zod';
import { EndpointFailed } from '../../openai/endpoint-failed.ts';
import { createPostJson, type Endpoint, patientWaitsMs } from '../../openai/post-json.ts';
import { ProviderFailed } from '../content-provider.ts';
import { answerOf } from './read-answer.ts';

export interface ModelDeps extends Endpoint {
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

/** Asks the chat completions of any endpoint that speaks like OpenAI's. */
export function createAskModel({ model, timeoutMs, ...endpoint }: ModelDeps): AskModel {
  const postJson = createPostJson(endpoint);
  const options = { timeoutMs, answerBytesMax, waitsMs: patientWaitsMs };

  return async ({ instruction, material, answer }) => {
    const body = {
      model,
      messages: [
        { role: 'system', content: instruction },
        { role: 'user', content: material },
      ],
      temperature: 0,
      max_tokens: answerTokensMax,
      response_format: { type: 'json_object' },
    };
    try {
      return answerOf(await postJson('/chat/completions', body, options), answer);
    } catch (error) {
      throw error instanceof EndpointFailed ? new ProviderFailed(error.reason, error) : error;
    }
  };
}
