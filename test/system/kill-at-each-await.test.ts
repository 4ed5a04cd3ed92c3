import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createOrg } from '../../commands/org/create-org.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { domainName, orgSlugName } from '../../src/domain/name/name-streams.ts';
import { builtModule } from '../spec/built/built-path.ts';
import { createTestRunners, openTestEventStore, requestOf } from '../spec/worlds/embedded-registry.ts';
import { holdersOf, orgsInStore } from '../spec/worlds/orgs-in-store.ts';
import { createTempFolder } from '../spec/temp-folder.ts';

const child = builtModule(new URL('./create-org-child.ts', import.meta.url));
const input = { name: 'Acme', slug: 'acme', domain: 'acme.dev', aliases: ['acme.example'] };
const names = [orgSlugName('acme'), domainName('acme.dev'), domainName('acme.example')];

const runChild = (folder: string, killAt: number) =>
  spawnSync(process.execPath, [child, folder, String(killAt)], { encoding: 'utf8' });

/** Later than the courtesy time of any claim that the killed process left behind. */
const later = { ...systemClock, nowMs: () => systemClock.nowMs() + 61_000 };

const gatesOfWholeRun = (): number => {
  const folder = createTempFolder();
  const { status, stdout, stderr } = runChild(folder.path, 0);
  folder.remove();
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
};

const gates = gatesOfWholeRun();

describe('a process that is killed while it creates an org', () => {
  it('passes the gates that the kills are placed at', () => expect(gates).toBeGreaterThanOrEqual(10));

  it.each(Array.from({ length: gates }, (_, index) => index + 1))(
    'leaves one org or none and no claim hanging, killed at await %i',
    async (killAt) => {
      const killed = createTempFolder();
      expect(runChild(killed.path, killAt).signal).toBe('SIGKILL');

      const repeated = createTempFolder();
      cpSync(killed.path, repeated.path, { recursive: true });
      const again = await openTestEventStore(repeated.path);
      const repeat = await createTestRunners(again, systemClock).commands.run(createOrg, input, requestOf(1));
      expect(repeat.state).toMatchObject({ slug: 'acme', domain: 'acme.dev', lifecycle: 'live' });
      expect(await orgsInStore(again)).toHaveLength(1);
      for (const name of names)
        expect((await holdersOf(again, name)).map(({ stream }) => stream)).toEqual([`org-${repeat.id}`]);
      await again.close();
      repeated.remove();

      const store = await openTestEventStore(killed.path);
      const before = await orgsInStore(store);
      expect(before.length).toBeLessThanOrEqual(1);
      const other = createTestRunners(store, later).commands.run(createOrg, input, requestOf(2));
      if (before.length === 1) await expect(other).rejects.toMatchObject({ code: 'conflict' });
      else await other;
      for (const name of names) expect(await holdersOf(store, name)).toHaveLength(1);
      await store.close();
      killed.remove();
    },
  );
});
