import { connect, type Socket } from 'node:net';

export interface RawClient {
  readonly socket: Socket;
  readonly send: (text: string) => void;
  /** Everything that came until the server hung up. */
  readonly closed: Promise<string>;
  readonly received: () => string;
}

/** Speaks to a server byte by byte, as no HTTP library would. */
export function connectRaw(port: number, { hangsUp = true } = {}): RawClient {
  // Hangs up when the server has said its last.
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: !hangsUp });
  socket.setEncoding('latin1');
  let received = '';
  socket.on('data', (chunk) => {
    received += String(chunk);
  });
  const closed = new Promise<string>((resolve) => {
    socket.on('error', () => resolve(received)); // a reset ends the connection as well
    socket.on('close', () => resolve(received));
  });
  return { socket, send: (text) => void socket.write(text, 'latin1'), closed, received: () => received };
}
