import type { z } from 'zod';
import type { HttpResponse } from '../ports/http-client.ts';
import { EndpointFailed } from './endpoint-failed.ts';

/** A text of JSON in the form that is wanted; anything else is a failure of the endpoint. */
export function parseJson<Value>(text: string, wanted: z.ZodType<Value>, status: number): Value {
  const unreadable = (cause: unknown) => new EndpointFailed('unreadable', { status, cause });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw unreadable(error);
  }
  const parsed = wanted.safeParse(json);
  if (!parsed.success) throw unreadable(parsed.error);
  return parsed.data;
}

/** The body of an answer, all of it. */
export function readJson<Value>({ status, body, truncated }: HttpResponse, wanted: z.ZodType<Value>): Value {
  if (truncated) throw new EndpointFailed('too_large', { status });
  return parseJson(new TextDecoder().decode(body), wanted, status);
}
