import type { HttpResponse } from '../ports/http-client.ts';
import { FetchFailed } from './fetch-failed.ts';

/** What an answer says. Throws FetchFailed. */
export function jsonOf({ status, body, truncated }: HttpResponse): unknown {
  if (truncated) throw new FetchFailed('too_large', status);
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch (error) {
    throw new FetchFailed('unreadable', status, { cause: error });
  }
}

export function listOf(response: HttpResponse): readonly unknown[] {
  const list = jsonOf(response);
  if (!Array.isArray(list)) throw new FetchFailed('unreadable', response.status);
  return list;
}
