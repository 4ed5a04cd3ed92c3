import type { Meaning } from '../../../ports/embedder.ts';
import type { EmbedJob } from './messages.ts';

export interface JobQueueDeps {
  readonly embed: (text: string) => Promise<Meaning>;
  readonly answer: (id: number, meanings: readonly Meaning[]) => void;
  readonly refuse: (id: number, reason: string) => void;
  /** Lets messages in that came while the model computed. */
  readonly turn: () => Promise<void>;
}

export interface JobQueues {
  readonly add: (job: EmbedJob) => void;
  /** Refuses it, unless it was answered before. */
  readonly drop: (id: number) => void;
}

interface BegunJob extends EmbedJob {
  readonly meanings: Meaning[];
}

/**
 * Embeds one text after the other. Before each it looks again whether somebody asks: a query waits for the text that is
 * being embedded, and for queries before it, whatever else there is to do.
 */
export function createJobQueues({ embed, answer, refuse, turn }: JobQueueDeps): JobQueues {
  const queries = new Map<number, BegunJob>();
  const fills = new Map<number, BegunJob>();
  let isWorking = false;

  const next = (): BegunJob | undefined => {
    for (const queue of [queries, fills]) for (const job of queue.values()) return job;
    return undefined;
  };
  const queueOf = ({ isQuery }: EmbedJob) => (isQuery ? queries : fills);

  async function embedNextText(job: BegunJob): Promise<void> {
    const { id, texts, meanings } = job;
    try {
      if (meanings.length < texts.length) meanings.push(await embed(texts[meanings.length]!));
    } catch (error) {
      if (queueOf(job).delete(id)) refuse(id, error instanceof Error ? error.message : String(error));
      return;
    }
    // Unless it was dropped meanwhile.
    if (meanings.length >= texts.length && queueOf(job).delete(id)) answer(id, meanings);
  }

  async function work(): Promise<void> {
    isWorking = true;
    for (let job = next(); job !== undefined; job = next()) {
      await embedNextText(job);
      await turn();
    }
    isWorking = false;
  }

  return {
    add: (job) => {
      queueOf(job).set(job.id, { ...job, meanings: [] });
      if (!isWorking) void work();
    },
    drop: (id) => {
      if (queries.delete(id) || fills.delete(id)) refuse(id, 'nobody waits for it');
    },
  };
}
