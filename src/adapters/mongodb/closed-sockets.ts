import { Connection } from 'mongodb/lib/cmap/connection.js';

let isTold = false;

/**
 * The driver waits until a socket takes more, and hears meanwhile of its failure, but not of its end. Of a connection that has
 * ended it learns a moment later; a command that is written between the two, or is still being compressed then, would wait for
 * ever, and keep its place in the pool. And what a socket fails with while it is written to comes out as the socket's own
 * error, which nobody would take for an outage. So these two methods of the driver's connection are replaced: whoever writes
 * goes on when it has closed, and fails as after any other cut.
 */
export function tellOfClosedSockets(): void {
  if (isTold) return;
  isTold = true;
  const { onClose, writeCommand } = Connection.prototype;
  Connection.prototype.onClose = function tellWhoWrites(): void {
    onClose.call(this);
    this.socket.write = () => true; // nobody waits for it from now on
    this.socket.emit('drain');
  };
  Connection.prototype.writeCommand = async function failAsCut(...sent): Promise<void> {
    try {
      await writeCommand.apply(this, sent);
    } catch (error) {
      this.throwIfAborted();
      throw error;
    }
  };
}
