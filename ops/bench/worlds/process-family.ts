import { execFileSync } from 'node:child_process';

const isHttpProcess = /http-process-worker\.js/;

/** The first process of a service and those that it has started to answer requests. */
export function httpProcessesOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const further = lines.flatMap((line) => {
    const [own, parent] = line.trim().split(/ +/);
    return Number(parent) === pid && isHttpProcess.test(line) ? [Number(own)] : [];
  });
  return [pid, ...further];
}
