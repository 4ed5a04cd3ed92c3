import { z } from 'zod';
import { EndpointFailed, type EndpointFailureReason } from '../../openai/endpoint-failed.ts';
import { parseJson, readJson } from '../../openai/read-json.ts';
import type { HttpResponse } from '../../ports/http-client.ts';

const completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
});

/** Some models put their JSON between fences, whatever they are told. */
const withoutFence = (text: string): string =>
  text
    .trim()
    .replace(/^```(?:json)?\s*/, '')
    .replace(/```$/, '');

/** What the model says, in the form that was asked for; anything else is a failure of it. */
export function answerOf<Answer>(response: HttpResponse, wanted: z.ZodType<Answer>): Answer {
  const { status } = response;
  const failed = (reason: EndpointFailureReason) => new EndpointFailed(reason, { status });
  const { finish_reason: finish, message } = readJson(response, completion).choices[0]!;
  if (message.refusal || finish === 'content_filter') throw failed('refused');
  if (finish === 'length') throw failed('too_large');
  return parseJson(withoutFence(message.content ?? ''), wanted, status);
}
