/** What the driver has no types for: they lie under its own name, and only for what its users are to see. */
declare module 'mongodb/lib/cmap/connection.js' {
  import type { Socket } from 'node:net';

  export class Connection {
    readonly socket: Socket;
    /** Called when the socket has closed, for whatever reason. */
    onClose(): void;
    /** Resolves when the socket takes more. */
    writeCommand(...sent: unknown[]): Promise<void>;
    /** Throws why the connection has ended, if it has. */
    throwIfAborted(): void;
  }
}
