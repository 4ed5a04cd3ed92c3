import type { IncomingMessage } from 'node:http';

/** What is wrong with a request before it comes to the listener, in a sentence for whoever sent it. */
export interface RequestFault {
  readonly code: 'validation_failed' | 'payload_too_large';
  readonly sentence: string;
}

export const headerBytesMax = 16 * 1024;
const headerFieldsMax = 100;

const malformed = (sentence: string): RequestFault => ({ code: 'validation_failed', sentence });
const tooLarge = (sentence: string): RequestFault => ({ code: 'payload_too_large', sentence });

/** A name, an IPv4 address or an IPv6 address in brackets, with or without a port. */
const hostForm = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~%-]+)(?::(\d{0,5}))?$/;
const portMax = 65_535;

/** Nearly all requests name the same one: what was good the last time is not taken apart again. */
let lastGoodHost = '';

const isHost = (value: string): boolean => {
  if (value === lastGoodHost) return true;
  const [match, port = ''] = hostForm.exec(value) ?? [];
  const isGood = match !== undefined && Number(port) <= portMax;
  if (isGood) lastGoodHost = value;
  return isGood;
};

const isHostName = (name: string): boolean => name.length === 4 && name.toLowerCase() === 'host';

function hostFault({ rawHeaders, httpVersion }: IncomingMessage): RequestFault | null {
  let hosts = 0;
  let host = '';
  // As sent: Node keeps the first of several and drops the others.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (!isHostName(rawHeaders[index]!)) continue;
    hosts += 1;
    host = rawHeaders[index + 1]!;
  }
  if (hosts > 1) return malformed(`The request has ${hosts} \`Host\` fields; it must have one.`);
  if (hosts === 1) {
    return isHost(host) ? null : malformed(`\`Host\` must be a host with or without a port; it was \`${host}\`.`);
  }
  return httpVersion === '1.1' ? malformed('The request has no `Host` field, which HTTP/1.1 demands.') : null;
}

export const tunnelFault = malformed('This server makes no tunnels: `CONNECT` is not served.');

/** Of a request whose `Expect` Node does not know. */
export const expectationFault = ({ headers }: IncomingMessage): RequestFault =>
  malformed(`\`Expect\` may only be \`100-continue\`; it was \`${headers.expect}\`.`);

/** What the parser lets through and this server does not. */
export function faultOfRequest(request: IncomingMessage): RequestFault | null {
  const { httpVersion, rawHeaders } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return malformed(`The request is HTTP/${httpVersion}; this server speaks HTTP/1.1 and HTTP/1.0.`);
  }
  const fields = rawHeaders.length / 2;
  if (fields > headerFieldsMax) {
    return tooLarge(`The request has ${fields} header fields; at most ${headerFieldsMax} are taken.`);
  }
  return hostFault(request);
}

const faultsOfParser: Readonly<Record<string, RequestFault>> = {
  HPE_HEADER_OVERFLOW: tooLarge(`The request line and the headers have more than ${headerBytesMax} bytes.`),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: tooLarge(`The extensions of a chunk have more than ${headerBytesMax} bytes.`),
  HPE_INVALID_EOF_STATE: malformed('The request ended before it was complete.'),
  ERR_HTTP_REQUEST_TIMEOUT: malformed('The request took too long to arrive.'),
};

/** What Node's parser and its clock report. */
export function faultOfParser(error: Error & { readonly code?: string; readonly reason?: string }): RequestFault {
  const known = faultsOfParser[error.code ?? ''];
  if (known !== undefined) return known;
  return malformed(`The request is not well-formed HTTP${error.reason ? `: ${error.reason}` : ''}.`);
}
