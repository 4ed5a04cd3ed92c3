import { randomUUID } from 'node:crypto';
import type { Seeded } from '../seeded.ts';
import { rootApiKey } from './served-process.ts';

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly key?: string;
}

interface KnownRelease {
  readonly id: string;
  title: string;
  erased: boolean;
}

/** What one writer was promised: everything in here was acknowledged. */
export interface Promised {
  readonly orgId: string;
  name: string;
  deleted: boolean;
  sourceId: string | null;
  readonly releases: KnownRelease[];
}

/** A POST with its key and the first answer to it. */
export interface Acknowledged {
  readonly sent: Sent;
  readonly status: number;
  readonly body: string;
}

export interface Writer {
  readonly promised: Promised[];
  readonly acknowledged: Acknowledged[];
  /** Does one thing; returns when it was acknowledged, however often the service died meanwhile. */
  readonly step: () => Promise<void>;
}

export const acknowledgedCount = (writers: readonly Writer[]): number =>
  writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0);

/** Longer than any trouble: the service refuses what it cannot do, and leaves nobody waiting. */
const answerMs = 60_000;
const refusedMs = 150_000;
const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

/** Each writer works on its own orgs, so that it knows exactly what must be there. */
export function createWriter(
  name: string,
  random: Seeded,
  url: () => string,
  waitForService: () => Promise<void>,
): Writer {
  const promised: Promised[] = [];
  const acknowledged: Acknowledged[] = [];
  let counter = 0;

  /** Sends until there is an answer that is not the server's trouble: the same request, the same key. */
  async function send(sent: Sent): Promise<{ status: number; body: string }> {
    const deadlineMs = performance.now() + refusedMs;
    for (;;) {
      try {
        const response = await fetch(`${url()}${sent.path}`, {
          method: sent.method,
          headers: {
            authorization: `Bearer ${rootApiKey}`,
            ...(sent.body !== undefined && { 'content-type': 'application/json' }),
            ...(sent.key !== undefined && { 'idempotency-key': sent.key }),
          },
          ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
          signal: AbortSignal.timeout(answerMs),
        });
        const body = await response.text();
        const isBusy = response.status >= 500 || body.includes('idempotency_in_progress');
        if (!isBusy) return { status: response.status, body };
        if (performance.now() > deadlineMs) {
          throw new Error(`${sent.method} ${sent.path} is still answered with ${response.status}: ${body}`);
        }
      } catch (error) {
        if (isTimeout(error)) throw new Error(`${sent.method} ${sent.path} was not answered in time`, { cause: error });
        if (!(error instanceof TypeError)) throw error; // fetch tells a dead connection by a TypeError
      }
      await waitForService();
    }
  }

  async function post(path: string, body: unknown): Promise<{ status: number; parsed: Record<string, unknown> }> {
    const sent: Sent = { method: 'POST', path, body, key: randomUUID() };
    const answer = await send(sent);
    if (answer.status >= 400) throw new Error(`${path} answered ${answer.status}: ${answer.body}`);
    acknowledged.push({ sent, ...answer });
    return { status: answer.status, parsed: JSON.parse(answer.body) as Record<string, unknown> };
  }

  async function createOrg(): Promise<void> {
    counter += 1;
    const orgName = `${name} org ${counter}`;
    const { parsed } = await post('/v1/orgs', { name: orgName });
    promised.push({ orgId: String(parsed['id']), name: orgName, deleted: false, sourceId: null, releases: [] });
  }

  async function ingest(org: Promised): Promise<void> {
    if (org.sourceId === null) {
      const source = { name: 'Changelog', url: `https://${name}.example/${org.orgId}`, orgId: org.orgId };
      org.sourceId = String((await post('/v1/sources', source)).parsed['id']);
    }
    const releases = Array.from({ length: random.int(1, 20) }, () => {
      counter += 1;
      return { title: `Release ${counter}`, version: `${counter}.0.0`, content: `- added thing ${counter}` };
    });
    const { parsed } = await post(`/v1/sources/${org.sourceId}/releases/batch`, { releases });
    if (parsed['inserted'] !== releases.length)
      throw new Error(`a batch was acknowledged as ${JSON.stringify(parsed)}`);
    for (const [index, id] of (parsed['insertedIds'] as string[]).entries()) {
      org.releases.push({ id, title: releases[index]!.title, erased: false });
    }
  }

  async function change(sent: Sent): Promise<void> {
    const answer = await send(sent);
    // A repeat after a crash finds it done already.
    const isDone = answer.status === 200 || (sent.method === 'DELETE' && answer.status === 404);
    if (!isDone) throw new Error(`${sent.method} ${sent.path} answered ${answer.status}: ${answer.body}`);
  }

  async function step(): Promise<void> {
    const live = promised.filter((org) => !org.deleted);
    if (live.length < 3 || random.chance(15)) return createOrg();
    const org = random.pick(live);
    const releases = org.releases.filter((release) => !release.erased);
    const dice = random.int(1, 100);
    if (dice <= 45 || releases.length === 0) return ingest(org);
    counter += 1;
    if (dice <= 60) {
      const newName = `${name} renamed ${counter}`;
      await change({ method: 'PATCH', path: `/v1/orgs/${org.orgId}`, body: { name: newName } });
      org.name = newName;
    } else if (dice <= 80) {
      const release = random.pick(releases);
      const title = `Retitled ${counter}`;
      await change({ method: 'PATCH', path: `/v1/releases/${release.id}`, body: { title } });
      release.title = title;
    } else if (dice <= 92) {
      const release = random.pick(releases);
      await change({ method: 'DELETE', path: `/v1/releases/${release.id}` });
      release.erased = true;
    } else {
      await change({ method: 'DELETE', path: `/v1/orgs/${org.orgId}` });
      org.deleted = true;
    }
  }

  return { promised, acknowledged, step };
}
