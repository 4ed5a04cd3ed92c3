import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../spec/eventually.ts';
import type { ServedRegistry } from '../spec/processes/registry-process.ts';
import { answerTo, furtherOf, list, listedBy, serveWithTwo } from '../spec/processes/served-by-two.ts';
import { createTempFolder } from '../spec/temp-folder.ts';

describe('while OpenSearch is away', () => {
  const folder = createTempFolder();
  let served: ServedRegistry | undefined;

  afterAll(async () => {
    served?.child.kill('SIGKILL');
    await served?.exited;
    folder.remove();
  });

  it('all processes begin, and one that dies is followed by another', async () => {
    const away = { OPENSEARCH_URL: 'http://127.0.0.1:1' };
    const begun = await serveWithTwo(join(folder.path, 'data'), away);
    served = begun.served;
    const health = await fetch(`${served.url}/health/ready`);
    const details = { checks: { searchIndex: 'fail', readModels: 'ok' }, unreachable: ['OpenSearch'] };
    expect([health.status, await health.json()]).toMatchObject([503, { error: { details } }]);
    await eventually('it says what does not work', () => begun.served.stderr().includes('not ready yet: searchIndex'));
    process.kill(begun.further.processId, 'SIGKILL');
    await eventually('another one is ready', () => furtherOf(begun.served).length === 2, { withinMs: 60_000 });
    for (const _ of ['one', 'the other']) await answerTo(list(served));
    expect(await listedBy(furtherOf(served)[1]!.metricsUrl)).toBe(1);
  });
});
