import { z } from 'zod';
import type { HttpResponse } from '../../ports/http-client.ts';
import { ProviderFailed, type ProviderFailureReason } from '../content-provider.ts';

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
export function answerOf<Answer>({ status, body, truncated }: HttpResponse, wanted: z.ZodType<Answer>): Answer {
  const failed = (reason: ProviderFailureReason, cause?: unknown) => new ProviderFailed(reason, { status, cause });
  const parsedJson = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw failed('unreadable', error);
    }
  };
  if (truncated) throw failed('too_large');
  const envelope = completion.safeParse(parsedJson(new TextDecoder().decode(body)));
  if (!envelope.success) throw failed('unreadable', envelope.error);
  const { finish_reason: finish, message } = envelope.data.choices[0]!;
  if (message.refusal || finish === 'content_filter') throw failed('refused');
  if (finish === 'length') throw failed('too_large');
  const answer = wanted.safeParse(parsedJson(withoutFence(message.content ?? '')));
  if (!answer.success) throw failed('unreadable', answer.error);
  return answer.data;
}
