import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Its body has not arrived as a whole. A request without one counts as arrived before the parser says so. */
export const isArriving = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/** Of answers that have no body, whatever their head says. */
const bodyless: ReadonlySet<number> = new Set([204, 304]);

/** The fields of such lines. */
const fieldsOf = (lines: string): [name: string, value: string][] =>
  lines
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);

const endWithUnarrived = (response: ServerResponse): void => {
  if (isArriving(response.req)) response.setHeader('Connection', 'close');
};

/** Of Node, and not documented: gives to the connection what `end` has put together. */
const nodeWriteRaw = Reflect.get(ServerResponse.prototype, '_writeRaw') as
  | ((data: string | Buffer, encoding: BufferEncoding, whenWritten?: () => void, bytes?: number) => boolean)
  | undefined;

/** As much as Node takes before it asks whoever writes to wait. Of longer answers, the copy costs more than a second piece. */
const onePieceBytesMax = 16 * 1024;

/** Where head and body are put together. What the system does not take at once is kept there: the next answer gets another. */
let onePiece = Buffer.allocUnsafeSlow(onePieceBytesMax);

/** An answer that is sent before its request has arrived ends the connection, whoever writes it. */
export class ClosingResponse extends ServerResponse {
  // Of Node, and not documented: what makes the head of the status line and the fields.
  declare _storeHeader: ((statusLine: string, fields: readonly string[]) => void) | undefined;
  declare _header: string;
  declare _hasBody: boolean;
  /** What goes with the head in one piece. */
  #body: Buffer | null = null;

  override writeHead(status: number, reason?: string, headers?: Headers): this;
  override writeHead(status: number, headers?: Headers): this;
  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    endWithUnarrived(this);
    return typeof reason === 'string' ? super.writeHead(status, reason, headers) : super.writeHead(status, reason);
  }

  /**
   * Sends an answer that is ready, its head as lines which were checked when they were made. Node goes through each field
   * of each head, which costs a fifth of what it costs to send an answer: here it sees only the length of the body, and
   * adds what depends on the connection. It would also give head and body to the system as pieces of their own, which
   * costs a tenth. Without a body, it is null.
   */
  endReady(status: number, lines: string, body: Buffer | null): void {
    if (this._storeHeader === undefined || nodeWriteRaw === undefined) {
      // A Node that does it in another way: the documented one takes longer, and sends the same.
      for (const [name, value] of fieldsOf(lines)) this.setHeader(name, value);
      if (body !== null) this.setHeader('Content-Length', body.length);
      this.writeHead(status).end(body ?? undefined);
      return;
    }
    endWithUnarrived(this);
    // As Node does where nobody was told to go on: a body may follow all the same.
    if (this.req.headers.expect !== undefined) this.shouldKeepAlive = false;
    this.statusCode = status;
    if (bodyless.has(status)) this._hasBody = false;
    const fields = body === null ? [] : ['Content-Length', String(body.length)];
    for (const name of this.getHeaderNames()) fields.push(name, String(this.getHeader(name)));
    this._storeHeader(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}`, fields);
    if (body !== null && this.#fitsInOnePiece(body)) this.#body = body;
    this.end(this.#body === null ? (body ?? undefined) : undefined);
  }

  /**
   * An answer whose turn has not come is not copied: many of them may wait for a client who asks and does not read, and
   * their bodies are the same bytes.
   */
  #fitsInOnePiece(body: Buffer): boolean {
    return this._hasBody && this.socket !== null && this._header.length + body.length <= onePieceBytesMax;
  }

  /** Instead of Node's own. */
  _writeRaw(data: string | Buffer, encoding: BufferEncoding, whenWritten?: () => void, bytes?: number): boolean {
    const body = this.#body;
    if (body === null) return nodeWriteRaw!.call(this, data, encoding, whenWritten, bytes);
    this.#body = null;
    const headBytes = onePiece.write(data as string, 0, 'latin1'); // the head: `end` was given nothing else
    const wholeBytes = headBytes + body.copy(onePiece, headBytes);
    const isTaken = nodeWriteRaw!.call(this, onePiece.subarray(0, wholeBytes), encoding, whenWritten);
    if (this.writableLength > 0) onePiece = Buffer.allocUnsafeSlow(onePieceBytesMax);
    return isTaken;
  }
}

export type ClosingServer = Server<typeof IncomingMessage, typeof ClosingResponse>;
