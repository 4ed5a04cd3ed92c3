// A process of its own: the model computes synchronously, and whatever ends the native runtime ends only this.
import { createJobQueues } from './job-queues.ts';
import type { FromModelProcess, ToModelProcess } from './messages.ts';
import { loadOnnxRuntime, loadSentenceModel } from './sentence-model.ts';

const send = (message: FromModelProcess): void => {
  process.send!(message);
};

// A terminal sends these to all processes at once; this one is asked to end by the service, after its last answers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
// The service is gone. Nothing is being computed while this runs.
process.on('disconnect', () => process.exit(0));

/** Its absence lasts; that the machine is short of something does not. */
const isShortage = (reason: string): boolean => /cannot allocate memory|too many open files/i.test(reason);

let hasRuntime = false;
try {
  const runtime = loadOnnxRuntime();
  hasRuntime = true;
  const { embed } = await loadSentenceModel(runtime);
  const { add, drop } = createJobQueues({
    embed,
    answer: (id, meanings) => send({ kind: 'answer', id, meanings }),
    refuse: (id, reason) => send({ kind: 'refusal', id, reason }),
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  });
  process.on('message', (message: ToModelProcess) => {
    if (message.kind === 'embed') add(message);
    else if (message.kind === 'drop') drop(message.id);
    else process.exit(0);
  });
  send({ kind: 'serving' });
} catch (error) {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n'); // the rest are paths
  const failed: FromModelProcess = { kind: 'failed', reason, isLasting: !hasRuntime && !isShortage(reason) };
  process.send!(failed, undefined, {}, () => process.exit(1));
}
