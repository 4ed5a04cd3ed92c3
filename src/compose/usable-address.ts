import type { TargetGuard } from '../delivery/target-guard.ts';
import { StartupError } from '../kernel/startup-error.ts';

/** A setting that names where to ask, but nobody may go there, is found at the start. */
export function assertUsable(targets: TargetGuard, addresses: Readonly<Record<string, string>>): void {
  for (const [setting, address] of Object.entries(addresses)) {
    const refusal = targets.checkForm(address);
    if (refusal === null) continue;
    throw new StartupError(
      `${setting} cannot be used: it is refused as ${refusal}. FETCH_ALLOW_PRIVATE_TARGETS=on allows addresses inside the network.`,
    );
  }
}
