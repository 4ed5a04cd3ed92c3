import type { Clock } from '../ports/clock.ts';
import { type HttpClient, HttpFailure, type HttpResponse } from '../ports/http-client.ts';
import { FetchFailed } from './fetch-failed.ts';

/** Says where a connection may go (contract 13.12). */
export interface TargetCheck {
  readonly vet: (
    url: string,
  ) => Promise<
    | { readonly kind: 'allowed'; readonly addresses: readonly string[] | null }
    | { readonly kind: 'refused'; readonly reason: string }
  >;
}

export interface ThirdPartyDeps {
  readonly http: Pick<HttpClient, 'send'>;
  readonly targets: TargetCheck;
  readonly clock: Pick<Clock, 'nowMs'>;
}

export interface ThirdPartyRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Nothing is waited for any longer, whatever is done until then. */
  readonly deadlineMs: number;
  readonly bodyBytesMax: number;
}

const redirectsMax = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

async function send(
  { http, targets, clock }: ThirdPartyDeps,
  { url, headers, deadlineMs, bodyBytesMax }: ThirdPartyRequest,
): Promise<HttpResponse> {
  const vetted = await targets.vet(url);
  if (vetted.kind === 'refused') throw new FetchFailed(vetted.reason === 'dns_failed' ? 'dns' : 'blocked');
  const timeoutMs = deadlineMs - clock.nowMs();
  if (timeoutMs <= 0) throw new FetchFailed('timeout');
  try {
    // Compressed answers are not asked for: what is read is then never more than the bound.
    const sent = { 'accept-encoding': 'identity', ...headers };
    const connectTo = vetted.addresses && { connectTo: vetted.addresses };
    return await http.send({ method: 'GET', url, headers: sent, ...connectTo, timeoutMs, bodyBytesMax });
  } catch (error) {
    if (error instanceof HttpFailure) throw new FetchFailed(error.reason, null, { cause: error });
    throw error;
  }
}

/** To another host it is not followed: the headers may hold a credential, and nobody has named that host. */
function redirectedTo(from: string, { status, headers }: HttpResponse): string {
  const { location } = headers;
  if (location === undefined || !URL.canParse(location, from)) throw new FetchFailed('unreadable', status);
  const to = new URL(location, from);
  if (to.origin !== new URL(from).origin) throw new FetchFailed('blocked', status);
  return to.href;
}

/** One answer of a third party, after the redirects within its host. Throws FetchFailed; any status is an answer. */
export async function askThirdParty(deps: ThirdPartyDeps, request: ThirdPartyRequest): Promise<HttpResponse> {
  let { url } = request;
  for (let hop = 0; hop <= redirectsMax; hop += 1) {
    const response = await send(deps, { ...request, url });
    if (redirects.has(response.status)) {
      url = redirectedTo(url, response);
      continue;
    }
    const encoding = response.headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') throw new FetchFailed('unreadable', response.status);
    return response;
  }
  throw new FetchFailed('unreadable');
}
