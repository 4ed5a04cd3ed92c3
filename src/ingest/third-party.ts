import type { Clock } from '../ports/clock.ts';
import { type HttpClient, HttpFailure, type HttpResponse } from '../ports/http-client.ts';
import type { TargetCheck } from '../ports/target-check.ts';
import { acceptedEncodings, decodedBody } from './decoded-body.ts';
import { FetchFailed } from './fetch-failed.ts';
import type { HostTurns } from './host-turns.ts';
import { isUrl } from '../kernel/address/parse-url.ts';

export interface ThirdPartyDeps {
  readonly http: Pick<HttpClient, 'send'>;
  readonly targets: TargetCheck;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Absent where whoever asks bounds its requests itself. */
  readonly hosts?: HostTurns;
}

export interface ThirdPartyRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Nothing is waited for any longer, whatever is done until then. */
  readonly deadlineMs: number;
  /** Of the answer as it was before it was packed. */
  readonly bodyBytesMax: number;
  /** Redirects to other hosts are refused: an interface that we have a credential for has no reason for them. */
  readonly staysOnHost?: boolean;
  /** Called with each address before it is asked, also after a redirect; what it throws ends the whole. */
  readonly beforeAsking?: (url: string) => Promise<void>;
}

export interface ThirdPartyAnswer extends HttpResponse {
  /** Where it came from, after all redirects. */
  readonly url: string;
}

const redirectsMax = 5;
const redirects = new Set([301, 302, 303, 307, 308]);
/** Meant for the host that was asked first. */
const privateHeaders = new Set(['authorization', 'cookie', 'proxy-authorization']);

async function send(
  { http, targets, clock }: ThirdPartyDeps,
  { url, headers, deadlineMs, bodyBytesMax }: ThirdPartyRequest,
): Promise<HttpResponse> {
  const vetted = await targets.vet(url);
  if (vetted.kind === 'refused') {
    const sentence = `The address of the third party is refused as ${vetted.reason}.`;
    throw new FetchFailed(vetted.reason === 'dns_failed' ? 'dns' : 'blocked', null, { sentence });
  }
  const timeoutMs = deadlineMs - clock.nowMs();
  if (timeoutMs <= 0) throw new FetchFailed('timeout');
  try {
    const sent = { 'accept-encoding': acceptedEncodings, ...headers };
    const connectTo = vetted.addresses && { connectTo: vetted.addresses };
    return await http.send({ method: 'GET', url, headers: sent, ...connectTo, timeoutMs, bodyBytesMax });
  } catch (error) {
    if (error instanceof HttpFailure) throw new FetchFailed(error.reason, null, { cause: error });
    throw error;
  }
}

async function sendInTurn(deps: ThirdPartyDeps, request: ThirdPartyRequest): Promise<HttpResponse> {
  await request.beforeAsking?.(request.url);
  if (deps.hosts === undefined) return send(deps, request);
  return deps.hosts.run(request.url, request.deadlineMs, () => send(deps, request));
}

/** The fragment is for whoever shows the page, and would make a circle look like a way. */
function redirectedTo(from: string, { status, headers }: HttpResponse): URL {
  const { location } = headers;
  if (location === undefined || !isUrl(location, from)) throw new FetchFailed('unreadable', status);
  const to = new URL(location, from);
  to.hash = '';
  return to;
}

const withoutPrivate = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !privateHeaders.has(name.toLowerCase())));

/** The same request to where an answer sends us. */
function redirected(request: ThirdPartyRequest, answer: HttpResponse): ThirdPartyRequest {
  const to = redirectedTo(request.url, answer);
  if (to.origin === new URL(request.url).origin) return { ...request, url: to.href };
  if (request.staysOnHost === true) {
    throw new FetchFailed('blocked', answer.status, { sentence: 'The third party sends us on to another host.' });
  }
  return { ...request, url: to.href, headers: withoutPrivate(request.headers) };
}

/** One answer of a third party, after redirects (contract 15.1). Throws FetchFailed; any status is an answer. */
export async function askThirdParty(deps: ThirdPartyDeps, first: ThirdPartyRequest): Promise<ThirdPartyAnswer> {
  const asked = new Set<string>();
  let request = first;
  while (asked.size <= redirectsMax && !asked.has(request.url)) {
    asked.add(request.url);
    const answer = await sendInTurn(deps, request);
    if (!redirects.has(answer.status)) {
      return { ...answer, ...(await decodedBody(answer, request.bodyBytesMax)), url: request.url };
    }
    request = redirected(request, answer);
  }
  throw new FetchFailed('unreadable', null, { sentence: 'The third party sends us round and round.' });
}
