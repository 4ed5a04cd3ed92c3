import { expect } from 'vitest';
import { rootApiKey } from './served-process.ts';
import type { Writer } from './writer.ts';

/** What anybody sees of an org and its releases, against what its writer was promised. */
export async function checkPromises(url: string, writer: Writer): Promise<void> {
  for (const org of writer.promised) {
    const response = await fetch(`${url}/v1/orgs/${org.orgId}`);
    expect(response.status, `org ${org.orgId}`).toBe(org.deleted ? 404 : 200);
    if (org.deleted) continue;
    const detail = (await response.json()) as { name: string; releaseCount: number };
    const kept = org.releases.filter((release) => !release.erased);
    expect({ name: detail.name, releaseCount: detail.releaseCount }).toEqual({
      name: org.name,
      releaseCount: kept.length,
    });
    for (const release of org.releases) {
      const answer = await fetch(`${url}/v1/releases/${release.id}`);
      expect(answer.status, `release ${release.id}`).toBe(release.erased ? 404 : 200);
      if (!release.erased) expect(((await answer.json()) as { title: string }).title).toBe(release.title);
    }
  }
}

/** The same request with the same key gives the same answer, to the byte. */
export async function checkRepeats(url: string, writer: Writer): Promise<void> {
  for (const { sent, status, body } of writer.acknowledged) {
    const response = await fetch(`${url}${sent.path}`, {
      method: sent.method,
      headers: {
        authorization: `Bearer ${rootApiKey}`,
        'content-type': 'application/json',
        'idempotency-key': sent.key!,
      },
      body: JSON.stringify(sent.body),
    });
    expect(response.headers.get('idempotency-replayed')).toBe('true');
    expect({ status: response.status, body: await response.text() }).toEqual({ status, body });
  }
}
