import { probeOpenSearch } from '../adapters/opensearch/probe.ts';
import { addressOf } from '../kernel/address/connection-string.ts';
import { BackendUnavailable } from '../kernel/backend-unavailable.ts';
import { StartupError } from '../kernel/startup-error.ts';
import { failure, type Finding, warning, well } from '../ports/finding.ts';

const about = 'OpenSearch';
/** The oldest that the suites run against. */
const oldestMajor = 3;

type Probe = Awaited<ReturnType<typeof probeOpenSearch>>;

const versionFinding = ({ distribution, version }: Probe): Finding => {
  if (distribution !== 'opensearch') {
    return failure(about, `${distribution} ${version} answers there`, 'Set OPENSEARCH_URL to an OpenSearch.');
  }
  const isOld = Number.parseInt(version, 10) < oldestMajor;
  return isOld
    ? warning(about, `its version is ${version}`, `${oldestMajor}.0 or newer is what is tested.`)
    : well(about, `its version is ${version}`);
};

const vectorsFinding = ({ hasVectors }: Probe): Finding =>
  hasVectors
    ? well(about, 'it has the k-NN plugin')
    : failure(about, 'it has no k-NN plugin', 'Install opensearch-knn on every node: searches by meaning need it.');

const healthFinding = ({ health }: Probe): Finding =>
  health === 'red'
    ? failure(about, 'the cluster is red', 'Some index of it has no copy that can be read: see its log.')
    : well(about, `the cluster is ${health}`);

const indicesFindings = ({ indices }: Probe): Finding[] => {
  const there = indices.filter(({ state }) => state === 'there').length;
  const troubles = indices.flatMap(({ name, state, differences, generation }): Finding[] => {
    if (state === 'differs') {
      const sentence = `the index ${name} is not as this version makes it: ${differences.join(', ')}`;
      return [failure(about, sentence, 'Rebuild the search index, or delete the index if nothing needs it.')];
    }
    if (state !== 'missing') return [];
    // The first start makes it.
    if (generation === null) return [well(about, 'it has no search index of this registry yet')];
    return [
      failure(
        about,
        `the index ${name} is missing`,
        'Run `registry indices ensure`: the generation is made anew, and whoever projects fills it.',
      ),
    ];
  });
  return there === 0 ? troubles : [...troubles, well(about, `${there} indexes are as they should be`)];
};

export async function examineOpenSearch(urls: string, prefix: string, timeoutMs: number): Promise<Finding[]> {
  const at = addressOf(urls);
  try {
    const probe = await probeOpenSearch({ urls: urls.split(','), prefix }, timeoutMs);
    const findings = [versionFinding(probe), vectorsFinding(probe), healthFinding(probe), ...indicesFindings(probe)];
    return [well(about, `it answers at ${at}`), ...findings];
  } catch (error) {
    if (error instanceof StartupError) return [failure(about, error.message, 'Correct OPENSEARCH_URL.')];
    const isAway = error instanceof BackendUnavailable;
    const reason = isAway && error.cause instanceof Error ? error.cause.message : (error as Error).message;
    const advice = isAway
      ? 'Start it, or correct OPENSEARCH_URL; check TLS in the address and the firewall between.'
      : 'See that the user may look at the cluster and has all rights on these indexes.';
    return [failure(about, `${at}: ${reason}`, advice)];
  }
}
