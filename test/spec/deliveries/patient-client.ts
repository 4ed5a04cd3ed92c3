import { randomUUID } from 'node:crypto';
import { eventually } from '../eventually.ts';
import { isReady, rootApiKey } from '../killed/served-process.ts';

/** Asks until there is an answer, however often the service dies meanwhile. */
export interface PatientClient {
  /** The same key with every try, so that it is done once. */
  readonly post: <Answer>(path: string, body: object) => Promise<Answer>;
  readonly get: <Answer>(path: string) => Promise<Answer>;
}

export function createPatientClient(url: string): PatientClient {
  async function send(path: string, init: RequestInit): Promise<unknown> {
    for (;;) {
      try {
        const response = await fetch(`${url}${path}`, init);
        const text = await response.text();
        if (response.ok) return JSON.parse(text);
        const isBusy = response.status >= 500 || text.includes('idempotency_in_progress');
        if (!isBusy) throw new Error(`${path} answered ${response.status}: ${text}`);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error; // fetch tells a dead connection by a TypeError
      }
      await eventually('the service is back', () => isReady(url), { withinMs: 60_000, everyMs: 25 });
    }
  }

  const authorization = `Bearer ${rootApiKey}`;
  return {
    post: <Answer>(path: string, body: object) => {
      const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      return send(path, { method: 'POST', headers, body: JSON.stringify(body) }) as Promise<Answer>;
    },
    get: <Answer>(path: string) => send(path, { headers: { authorization } }) as Promise<Answer>,
  };
}
