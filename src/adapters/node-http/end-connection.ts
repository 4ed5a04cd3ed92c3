import type { Duplex } from 'node:stream';

/** How long a client has to read its answer and hang up, before it is cut off. */
const lingerMs = 1_000;

/**
 * Says that no more is sent and stops reading: what Node has asked for already is one read, 64 KiB at most. Bytes that
 * stay unread reset the connection when it is closed, and a client in the middle of its body would lose the answer: so
 * it is closed a while later.
 */
export function endConnection(socket: Duplex): void {
  socket.removeAllListeners('data'); // no request of a connection that ends is parsed any more
  socket.on('data', () => {}); // takes the reading from the parser, which would go on
  setImmediate(() => socket.pause()); // Node resumes it in this turn, to throw away the rest of a body
  socket.end();
  const cut = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(cut));
}
