import type { HttpApp } from '../../../src/compose/http-app.ts';
import { startHttpServer } from '../../../src/compose/http-server.ts';
import { createKeptLog } from '../kept-log.ts';

export interface ServedApp {
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** An app on a port of its own, behind the same server as in production. */
export async function serveApp(
  app: Pick<HttpApp, 'listener' | 'close'>,
  trustedOrigins: readonly string[] = [],
): Promise<ServedApp> {
  const settings = { port: 0, host: '127.0.0.1', trustedOrigins };
  const { url, port, answerWith, close } = await startHttpServer({ ...settings, log: createKeptLog() });
  answerWith(app.listener);
  return {
    url,
    port,
    close: async () => {
      await close();
      await app.close();
    },
  };
}
