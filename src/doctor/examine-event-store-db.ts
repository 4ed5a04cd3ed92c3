import { createEventStoreDbProbe, type EventStoreDbProbe } from '../adapters/eventstoredb/probe.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { BackendUnavailable } from '../kernel/backend-unavailable.ts';
import { addressOf } from '../kernel/address/connection-string.ts';
import { failure, type Finding, warning, well } from '../ports/finding.ts';
import { StartupError } from '../kernel/startup-error.ts';

const about = 'EventStoreDB';
/** The first that tells the position of each event. */
const oldest = { major: 22, minor: 6 };
const upgrade = `Run ${oldest.major}.${oldest.minor} or newer.`;

const versionFinding = (version: string | null): Finding => {
  if (version === null) return warning(about, 'it does not tell its version', upgrade);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < oldest.major || (major === oldest.major && minor < oldest.minor);
  return isOld ? failure(about, `its version is ${version}`, upgrade) : well(about, `its version is ${version}`);
};

export async function examineEventStoreDb(url: string, timeoutMs: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  let probe: EventStoreDbProbe | undefined;
  try {
    probe = createEventStoreDbProbe({ url, random: systemRandom, timeoutMs });
    const { serverVersion } = await probe.reach();
    findings.push(well(about, `it answers at ${addressOf(url)} and lets this user read all events`));
    findings.push(versionFinding(serverVersion));
    findings.push(
      (await probe.appendLimitOk())
        ? well(about, 'it takes appends of 900,000 bytes, and lets this user append')
        : failure(about, 'it refuses appends of 900,000 bytes', 'Set MaxAppendSize to 1048576, its default, or more.'),
    );
    findings.push(
      well(about, 'erased texts are hidden at once; their bytes leave its log with the next scavenge, so schedule one'),
    );
  } catch (error) {
    if (error instanceof StartupError) return [failure(about, error.message, 'Correct EVENT_STORE_URL.')];
    const advice =
      error instanceof BackendUnavailable
        ? 'Start it, or correct EVENT_STORE_URL; check TLS in the address and the firewall between.'
        : 'Check user and password in EVENT_STORE_URL, and that the user may read $all and append.';
    const reason = error instanceof BackendUnavailable && error.cause instanceof Error ? error.cause : (error as Error);
    findings.push(failure(about, `${addressOf(url)}: ${reason.message}`, advice));
  } finally {
    await probe?.close();
  }
  return findings;
}
