import type { Reporter } from 'vitest/node';

const shown = 20;

const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(7);

/** Ends a run with the files that it spent most time on, loading them included. */
export const slowestFilesReporter: Reporter = {
  onTestRunEnd: (modules) => {
    if (modules.length <= 1) return;
    const files = modules
      .map((module) => ({ module, own: module.diagnostic() }))
      .map(({ module, own }) => ({ module, ms: own.duration + own.collectDuration + own.setupDuration }))
      .sort((a, b) => b.ms - a.ms);
    const lines = files
      .slice(0, shown)
      .map(({ module, ms }) => `${seconds(ms)} s  ${module.relativeModuleId} (${module.project.name})\n`);
    const whole = files.reduce((sum, { ms }) => sum + ms, 0);
    process.stdout.write(
      `\nThe slowest of ${files.length} files, which took${seconds(whole)} s in all:\n${lines.join('')}`,
    );
  },
};
