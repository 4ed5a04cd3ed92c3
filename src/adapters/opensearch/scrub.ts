import { setTimeout } from 'node:timers/promises';
import { longAnswerMs, type OpenSearchConnection } from './connection.ts';
import { RefusedByOpenSearch, refusalOf } from './failures.ts';

interface Task {
  readonly completed: boolean;
  readonly error?: unknown;
}

interface Shard {
  readonly routing: { readonly primary: boolean };
  readonly docs: { readonly deleted: number };
  readonly seq_no: { readonly max_seq_no: number };
  readonly retention_leases: { readonly leases: readonly { readonly retaining_seq_no: number }[] };
}

type Stats = {
  readonly indices: Readonly<Record<string, { readonly shards: Readonly<Record<string, readonly Shard[]>> }>>;
};

const what = 'write files without what was deleted';
const lookAgainMs = 250;
/** The server lets go of them each 30 s. A copy that is away may hold them for hours, which nobody waits for. */
const heldMsMax = 90_000;

/**
 * Lets the server write anew those of its files that hold deleted documents. For a while it keeps these for copies
 * that were away, which has to be over first. Each question has its time, the whole takes as long as it takes.
 */
export async function scrubIndexes({ ask }: OpenSearchConnection, indexes: readonly string[]): Promise<void> {
  const post = async <Body>(verb: string, query: Readonly<Record<string, boolean>> = {}): Promise<Body> =>
    (await ask<Body>({ what, method: 'POST', path: `/${indexes.join(',')}/${verb}`, query, timeoutMs: longAnswerMs }))
      .body;
  const flush = () => post('_flush', { force: true, wait_if_ongoing: true });

  const primaries = async (): Promise<Map<string, Shard>> => {
    const path = `/${indexes.join(',')}/_stats/docs`;
    const { body } = await ask<Stats>({ what, method: 'GET', path, query: { level: 'shards' } });
    const found = Object.entries(body.indices).flatMap(([index, { shards }]) =>
      Object.entries(shards).flatMap(([number, copies]) =>
        copies.filter(({ routing }) => routing.primary).map((shard) => [`${index} ${number}`, shard] as const),
      ),
    );
    return new Map(found);
  };

  const isLetGo = (now: ReadonlyMap<string, Shard>, before: ReadonlyMap<string, Shard>): boolean =>
    [...before].every(([name, { seq_no: then }]) =>
      now.get(name)?.retention_leases.leases.every((lease) => lease.retaining_seq_no > then.max_seq_no),
    );

  const mergeDeleted = async (): Promise<void> => {
    const { task } = await post<{ readonly task: string }>('_forcemerge', {
      only_expunge_deletes: true,
      wait_for_completion: false,
    });
    for (;;) {
      const { body } = await ask<Task>({ what, method: 'GET', path: `/_tasks/${encodeURIComponent(task)}` });
      if (body.error !== undefined) throw new RefusedByOpenSearch(what, refusalOf(500, body.error));
      if (body.completed) return;
      await setTimeout(lookAgainMs);
    }
  };

  await post('_refresh');
  await flush(); // the log holds texts too, and what is not in a commit is kept
  const before = new Map([...(await primaries())].filter(([, { docs }]) => docs.deleted > 0));
  if (before.size === 0) return;
  const endMs = performance.now() + heldMsMax;
  while (!isLetGo(await primaries(), before) && performance.now() < endMs) await setTimeout(lookAgainMs);
  await mergeDeleted();
  await flush();
  await post('_refresh'); // who searches has the old files open
}
