import { Connection } from 'mongodb/lib/cmap/connection.js';

let isTold = false;

/**
 * The driver waits until a socket takes more, and hears meanwhile of its failure, but not of its end. Of a socket that the
 * server has ended it learns a moment later; a command that is sent between the two would wait for ever, and keep its place
 * among the connections. Once it is told that it may go on, it finds that the connection is closed, as after any cut.
 */
export function tellOfClosedSockets(): void {
  if (isTold) return;
  isTold = true;
  const { onClose } = Connection.prototype;
  Connection.prototype.onClose = function toldToAll(): void {
    onClose.call(this);
    this.socket.emit('drain');
  };
}
