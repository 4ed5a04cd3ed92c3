import { probeMongo } from '../adapters/mongodb/probe.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { type Finding, warning, well } from '../ports/finding.ts';

const about = 'MongoDB';
/** The oldest that the suites run against. */
const oldestMajor = 6;

const advices: Readonly<Record<string, string>> = {
  server: 'Start it, or correct MONGODB_URL; check user, password, TLS and the firewall between.',
  clock: 'Set both clocks by the same time server.',
  collections: 'Check user and password in MONGODB_URL; the user needs the role readWrite on the database.',
  majority: 'See that most members of the set are up, and that their disks have room.',
  transactions: 'See that the set runs with the storage engine WiredTiger, and that most of its members are up.',
};

export async function examineMongo(url: string, timeoutMs: number): Promise<Finding[]> {
  const { version, findings } = await probeMongo({ url, timeoutMs, nowMs: systemClock.nowMs });
  const found = findings.map(({ what, ok, sentence }): Finding => {
    if (ok) return well(about, sentence);
    const advice = advices[what]; // of the others the sentence says it
    return { state: what === 'clock' ? 'warning' : 'failure', about, sentence, ...(advice && { advice }) };
  });
  const isOld = version !== null && Number.parseInt(version, 10) < oldestMajor;
  if (isOld) found.push(warning(about, `its version is ${version}`, `${oldestMajor}.0 or newer is what is tested.`));
  return found;
}
