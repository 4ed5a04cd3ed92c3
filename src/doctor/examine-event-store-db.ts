import { createEventStoreDbProbe } from '../adapters/eventstoredb/probe.ts';
import { systemRandom } from '../adapters/system/random.ts';
import { BackendUnavailable } from '../kernel/backend-unavailable.ts';
import { addressOf } from '../kernel/connection-string.ts';
import { failure, type Finding, warning, well } from '../kernel/finding.ts';

const about = 'EventStoreDB';
/** The first that tells its version and has filters on the server. */
const oldestMajor = 21;

const versionFinding = (version: string | null): Finding => {
  if (version === null) return warning(about, 'it does not tell its version', `Run ${oldestMajor}.6 or newer.`);
  const major = Number.parseInt(version, 10);
  return major < oldestMajor
    ? failure(about, `its version is ${version}`, `Upgrade it to ${oldestMajor}.6 or newer.`)
    : well(about, `its version is ${version}`);
};

export async function examineEventStoreDb(url: string, batchAppend: boolean, timeoutMs: number): Promise<Finding[]> {
  const probe = createEventStoreDbProbe({ url, random: systemRandom, batchAppend, timeoutMs });
  const findings: Finding[] = [];
  try {
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
    const advice =
      error instanceof BackendUnavailable
        ? 'Start it, or correct EVENT_STORE_URL; check TLS in the address and the firewall between.'
        : 'Check user and password in EVENT_STORE_URL, and that the user may read $all and append.';
    const reason = error instanceof BackendUnavailable && error.cause instanceof Error ? error.cause : (error as Error);
    findings.push(failure(about, `${addressOf(url)}: ${reason.message}`, advice));
  } finally {
    await probe.close();
  }
  return findings;
}
