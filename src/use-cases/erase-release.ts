import { eraseRelease as eraseReleaseCommand } from '../../commands/release/erase-release.ts';
import type { CommandRequest } from '../kernel/command.ts';
import { isDomainError } from '../kernel/errors.ts';
import { retryConflicts } from '../runtime/commands/retry-conflicts.ts';
import { type CoverageServices, stepOf } from './coverage-services.ts';
import { unlinkCoverage } from './unlink-coverage.ts';

/** Erases a release for good. What covered it, or what it covered, stands by itself afterwards. */
export async function eraseRelease(
  services: CoverageServices,
  releaseId: string,
  request: CommandRequest,
): Promise<{ readonly position: number }> {
  let tries = 0;
  return retryConflicts(services, async () => {
    tries += 1;
    try {
      await unlinkCoverage(services, releaseId, stepOf(request, `unlink before erasing ${tries}`));
    } catch (error) {
      // Erased already: that is found out again below, and is no failure.
      if (!isDomainError(error, 'not_found')) throw error;
    }
    try {
      return await services.commands.run(eraseReleaseCommand, { releaseId }, request);
    } catch (error) {
      if (!isDomainError(error, 'conflict')) throw error;
      return 'again'; // somebody has linked another one meanwhile
    }
  });
}
