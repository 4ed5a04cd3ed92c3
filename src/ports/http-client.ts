/** Outbound HTTP. Redirects are never followed here: who calls decides about each. */
export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Addresses that were checked: the connection goes to one of these, whatever the name resolves to by now. */
  readonly connectTo?: readonly string[];
  /** For connecting, sending and the answer; waiting for a connection that is free is bounded by the same, on its own. */
  readonly timeoutMs: number;
  /** Reading stops here; `truncated` says so. */
  readonly bodyBytesMax: number;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly truncated: boolean;
}

/** `timeout`, `dns`, `tls` or `network`: no answer came. */
export class HttpFailure extends Error {
  readonly reason: 'timeout' | 'dns' | 'tls' | 'network';

  constructor(reason: HttpFailure['reason'], cause: unknown) {
    super(`no HTTP answer: ${reason}`, { cause });
    this.name = 'HttpFailure';
    this.reason = reason;
  }
}

export interface HttpClient {
  /** Any status is an answer; only the lack of one throws HttpFailure. */
  readonly send: (request: HttpRequest) => Promise<HttpResponse>;
  readonly close: () => Promise<void>;
}
