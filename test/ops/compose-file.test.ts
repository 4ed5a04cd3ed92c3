import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import { allRoles, settingRows } from '../../src/config/settings.ts';
import { healthRoutes } from '../../src/http/routes/self-description.ts';
import { type ComposeContainer, readComposeFile } from '../spec/servers/compose-file.ts';

const rootFile = (name: string): URL => new URL(`../../${name}`, import.meta.url);
const textOf = (name: string): string => readFileSync(rootFile(name), 'utf8');
const { bin, version } = JSON.parse(textOf('package.json')) as { bin: { registry: string }; version: string };
const settingNames = settingRows.map(({ name }) => name);

const { services: containers, volumes } = readComposeFile();
const all = Object.entries(containers);
const builders = all.filter(([, { build }]) => build !== undefined);
const running = all.filter(([, { build }]) => build === undefined);
const ours = running.filter(([, { image }]) => image.startsWith('release-registry:'));
const servers = running.filter(([, { image }]) => !image.startsWith('release-registry:'));

const samples: Readonly<Record<string, string>> = { SECRET_KEY: 'ab'.repeat(32), ROOT_API_KEY: 'a-root-key-for-tests' };

/** `${NAME:-default}` and `${NAME:?what to do}`, of which the latter must be given. */
const interpolated = (text: string, given = samples): string =>
  text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, sign: string, rest: string) => {
    const value = given[name] ?? (sign === '-' ? rest : undefined);
    if (value === undefined) throw new Error(`${name}: ${rest}`);
    return value;
  });

// One instruction to a line, as Docker reads it.
const instructions = textOf('ops/Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll('\\\n', '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.split(/ +(.*)/s, 2) as [string, string]);
const argumentsOf = (instruction: string): string[] =>
  instructions.filter(([name]) => name === instruction).map(([, rest]) => rest);
const listOf = (text: string | undefined): string[] => JSON.parse(text ?? 'null') as string[];

const imageEnvironment = Object.fromEntries(
  argumentsOf('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=', 2) as [string, string])),
);
const configOf = ({ environment }: ComposeContainer) =>
  readConfig({
    ...imageEnvironment,
    ...Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, interpolated(text)])),
  });

describe('docker-compose.yml', () => {
  it.each(ours)('%s has only settings that there are, with values that can be used', (_, container) => {
    expect(settingNames).toEqual(expect.arrayContaining(Object.keys(container.environment)));
    expect(() => configOf(container)).not.toThrow();
  });

  it.each(ours)('%s cannot be started without its secrets, and says what to do', (_, { environment }) => {
    for (const name of ['SECRET_KEY', 'ROOT_API_KEY'] as const) {
      expect(() => interpolated(environment[name] ?? '', {})).toThrow(`${name}: set it in the file .env`);
    }
  });

  it.each(ours)('%s finds its servers, and waits for them', (_, container) => {
    const { EVENT_STORE_URL, MONGODB_URL, KAFKA_BROKERS } = configOf(container);
    const needed = [EVENT_STORE_URL, MONGODB_URL, `kafka://${KAFKA_BROKERS}`].map((url) => new URL(url ?? '').hostname);
    const { image: builder, ...waitedFor } = container.depends_on;
    expect(builder).toBeDefined();
    expect(Object.keys(waitedFor).sort()).toEqual(needed.sort());
    for (const [name, { condition }] of Object.entries(waitedFor)) {
      expect(servers.map(([server]) => server)).toContain(name);
      expect(condition).toBe('service_healthy');
    }
  });

  it('shares all roles among the containers that start, each with one of them', () => {
    const started = ours.filter(([, { profiles }]) => profiles.length === 0);
    const shared = started.flatMap(([, container]) => configOf(container).ROLES);
    expect(shared.sort()).toEqual([...allRoles].sort());
    expect(configOf(containers['all-in-one'] as ComposeContainer).ROLES).toEqual(allRoles);
  });

  it('publishes the port of the service, for this machine only, and of no server', () => {
    for (const [name, container] of all) {
      const isOpen = ours.some(([own]) => own === name) && configOf(container).ROLES.includes('http');
      const published = container.ports.map((port) => interpolated(port));
      expect(published, name).toEqual(isOpen ? [`127.0.0.1:3000:${configOf(container).PORT}`] : []);
      if (isOpen) expect(configOf(container)).toMatchObject({ HOST: '0.0.0.0', BASE_URL: 'http://localhost:3000' });
    }
  });

  it.each(all)('the image of %s is pinned', (_, { image }) => expect(image).toMatch(/^[a-z/-]+:\d+\.\d+\.\d+$/));

  it('builds the image once, of which every container of ours waits for', () => {
    expect(builders.map(([name]) => name)).toEqual(['image']);
    const [[, builder] = [], ...others] = [...builders, ...ours];
    expect(builder).toMatchObject({ image: `release-registry:${version}`, command: ['--version'], profiles: [] });
    expect(existsSync(rootFile(builder?.build?.dockerfile ?? 'none'))).toBe(true);
    for (const [name, { image, pull_policy, depends_on }] of others) {
      expect(image, name).toBe(builder?.image);
      expect(pull_policy, name).toBe('never');
      expect(depends_on['image'], name).toEqual({ condition: 'service_completed_successfully' });
    }
  });

  it('starts no server that nothing uses, and lets none take the memory of the machine', () => {
    const used = new Set(ours.flatMap(([, { depends_on }]) => Object.keys(depends_on)));
    expect(servers.filter(([name, { profiles }]) => !used.has(name) && profiles.length === 0)).toEqual([]);
    expect(containers['mongodb']?.command).toContain('--wiredTigerCacheSizeGB');
  });

  it('has its secrets in a file that git leaves alone', () => {
    expect(textOf('.gitignore').split('\n')).toContain('.env');
  });

  it.each(servers)('%s has a health check', (_, { healthcheck }) => expect(healthcheck).toBeDefined());

  it('gives every container a volume of its own', () => {
    const mounted = running.map(([, container]) => container.volumes.map((volume) => volume.split(':')[0]));
    expect(mounted).toEqual(running.map(([name]) => [name]));
    expect(Object.keys(volumes).sort()).toEqual(mounted.flat().sort());
    for (const [, container] of ours) expect(container.volumes[0]?.split(':')[1]).toBe(configOf(container).DATA_DIR);
  });
});

describe('ops/Dockerfile', () => {
  it('builds and runs on one pinned image', () => {
    const images = argumentsOf('FROM').map((line) => line.split(' ')[0]);
    expect(new Set(images).size).toBe(1);
    expect(images[0]).toMatch(/^node:\d+\.\d+\.\d+-bookworm-slim$/);
  });

  it('sets only settings that there are', () => {
    const { NODE_ENV, ...settings } = imageEnvironment;
    expect(NODE_ENV).toBe('production');
    expect(settingNames).toEqual(expect.arrayContaining(Object.keys(settings)));
  });

  it('copies what is there and what .dockerignore lets in', () => {
    const ignored = textOf('.dockerignore').split('\n');
    const sources = argumentsOf('COPY')
      .filter((line) => !line.startsWith('--from='))
      .flatMap((line) => line.split(' ').slice(0, -1));
    const [, built = ''] = /^const sources = \[(.*)\];$/m.exec(textOf('ops/build.mjs')) ?? [];
    expect(sources).toEqual(expect.arrayContaining(built.split(', ').map((name) => name.slice(1, -1))));
    for (const source of sources) {
      expect(existsSync(rootFile(source)), source).toBe(true);
      expect(ignored).toContain(`!${source}`);
    }
  });

  it('runs the command line of the package, as a user without rights, over the data volume', () => {
    expect(listOf(argumentsOf('ENTRYPOINT')[0])).toEqual(['node', bin.registry]);
    expect(existsSync(rootFile(bin.registry.replace(/^dist\/(.*)\.js$/, '$1.ts')))).toBe(true);
    expect(listOf(argumentsOf('CMD')[0])[0]).toBe('serve');
    expect(argumentsOf('USER')).toEqual(['node']);
    expect(argumentsOf('VOLUME')).toEqual([readConfig(imageEnvironment).DATA_DIR]);
    expect(argumentsOf('EXPOSE')).toEqual([String(readConfig(imageEnvironment).PORT)]);
  });

  it('asks a health route that there is, at the port of the service', () => {
    const [program, flag, script = ''] = listOf(argumentsOf('HEALTHCHECK')[0]?.replace(/^.*CMD /s, ''));
    expect([program, flag]).toEqual(['node', '--eval']);
    const [, path] = /`http:\/\/127\.0\.0\.1:\$\{process\.env\.PORT\}(\/[a-z/]+)`/.exec(script) ?? [];
    expect(healthRoutes.map((route) => route.path)).toContain(path);
    expect(imageEnvironment).toHaveProperty('PORT');
  });
});
