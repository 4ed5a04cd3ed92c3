import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { builtModule } from '../built/built-path.ts';

export interface ChildProcesses {
  /** Starts a module that stands beside the given one. */
  readonly run: (beside: string, module: string, ...words: string[]) => { child: ChildProcess; lines: Interface };
  /** With SIGKILL; resolves when it is gone. */
  readonly kill: (child: ChildProcess) => Promise<void>;
  readonly killAll: () => Promise<void>;
}

/** Processes that a test starts in order to kill them. */
export const createChildProcesses = (): ChildProcesses => {
  const children: ChildProcess[] = [];
  const kill = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return {
    run: (beside, module, ...words) => {
      const path = builtModule(new URL(`./${module}.ts`, beside));
      const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
      const child = spawn(process.execPath, [path, ...words], { stdio });
      children.push(child);
      return { child, lines: createInterface(child.stdout) };
    },
    kill,
    killAll: async () => {
      for (const child of children) await kill(child);
    },
  };
};
