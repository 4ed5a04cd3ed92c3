import { existsSync } from 'node:fs';
import { serveThread } from '../../threads/serve-thread.ts';
import { openDatabase, takeLeftLog } from '../sqlite/open-database.ts';
import { emptyLogOf } from './empty-log-of.ts';

export type KeeperCalls = {
  check: (file: string) => void;
  /** Only where a crash left the log: not while somebody has the file open. */
  takeLogAndCheck: (file: string) => void;
  /** Waits for readers that are in the way. */
  emptyLogs: (files: readonly string[]) => void;
};

const readFile = (file: string) => ({ file, kind: 'read', synchronous: 'NORMAL' }) as const;

function check(file: string): void {
  if (!existsSync(file)) return; // it was dropped meanwhile
  openDatabase({ ...readFile(file), isLeft: true }).close();
}

await serveThread<KeeperCalls>(() => ({
  calls: {
    check,
    takeLogAndCheck: (file) => {
      if (takeLeftLog(readFile(file))) check(file);
    },
    emptyLogs: (files) => files.forEach((file) => emptyLogOf(file)),
  },
  close: () => undefined,
}));
