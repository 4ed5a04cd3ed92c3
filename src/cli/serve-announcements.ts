import { describeConfig } from '../config/read-config.ts';
import { type Role, allRoles } from '../config/settings.ts';
import type { CliContext } from './cli-command.ts';

const addresses = {
  '/v1': 'where to begin',
  '/v1/orgs': 'who publishes',
  '/v1/releases/latest': 'what came out last',
  '/v1/docs': 'the interface, to be read and tried',
  '/v1/openapi.json': 'the same for machines',
  '/health/ready': 'whether requests can be served',
};

const addressWidth = Math.max(...Object.keys(addresses).map((path) => path.length));

const withoutRole: Readonly<Record<Role, string>> = {
  http: 'no request is answered, but for /health',
  projector: 'nothing is projected: what is written shows in no answer, and no search finds it',
  relay: 'no event is published, so no webhook is sent',
  deliverer: 'no webhook is sent',
  fetcher:
    'no source is fetched and no overview written; nothing is erased or purged, so to erase a release answers 503 after 10 s; ' +
    'no release is announced when its date comes',
};

const roleWidth = Math.max(...allRoles.map((role) => role.length));

/** How this process will run: the settings that somebody chose, and what it leaves to others. */
export function announceSettings({ config, json, print }: CliContext): void {
  if (json) return;
  const settings = describeConfig(config);
  if (settings.length > 0)
    print(['Settings that are not the default:', ...settings.map((line) => `  ${line}`)].join('\n'));
  const missing = allRoles.filter((role) => !config.ROLES.includes(role));
  if (missing.length === 0) return;
  const lines = missing.map((role) => `  ${role.padEnd(roleWidth)} ${withoutRole[role]}`);
  print(['Roles left to other processes; where none has it:', ...lines].join('\n'));
}

interface ServedAddresses {
  readonly url: string;
  readonly baseUrl: string;
  /** Undefined where no metrics are told. */
  readonly metricsUrl: string | undefined;
}

export function announceReady({ config, json, print }: CliContext, served: ServedAddresses): void {
  const { url, baseUrl, metricsUrl } = served;
  if (json) {
    print(JSON.stringify({ url, baseUrl, dataDir: config.DATA_DIR, metricsUrl }));
    return;
  }
  const servesApi = config.ROLES.includes('http');
  const lines = ['', servesApi ? `The registry is ready at ${url}` : `${config.ROLES.join(' and ')} ready at ${url}`];
  for (const [path, what] of Object.entries(addresses)) {
    if (!servesApi && path.startsWith('/v1')) continue;
    lines.push(`  ${(url + path).padEnd(url.length + addressWidth)} ${what}`);
  }
  if (metricsUrl !== undefined) lines.push(`  ${metricsUrl.padEnd(url.length + addressWidth)} numbers for Prometheus`);
  if (servesApi && config.ROOT_API_KEY === undefined) {
    lines.push('', 'To write, make a credential; no ROOT_API_KEY is set:');
    const where = config.EVENT_STORE_URL === undefined ? ` --data ${config.DATA_DIR}` : '';
    lines.push(`  npm run registry -- token create --name me --scope admin${where}`);
  }
  print(lines.join('\n'));
}
