// Imports go from left to right only; rooms between two arrows do not import each other. The picture stands in
// ops/decisions/0001-shape-of-the-repository.md.
const order = [
  ['src/main.ts'],
  ['src/cli'],
  ['src/doctor'],
  ['src/compose'],
  ['src/config', 'src/http', 'src/web', 'src/mcp'],
  ['src/use-cases', 'src/forms'],
  ['queries', 'src/runtime'],
  ['src/catalogue', 'src/records', 'src/texts'],
  ['commands', 'projections', 'src/delivery', 'src/ingest', 'src/generation', 'src/search'],
  ['src/domain', 'src/concurrency', 'src/openai'],
  ['src/ports'],
  ['src/kernel'],
];

const anyOf = (rooms) => `^(${rooms.join('|').replaceAll('.', '\\.')})(/|$)`;
const ours = '^(src|commands|projections|queries)/';

const roomRules = order.flatMap((rooms, floor) =>
  rooms.map((room) => ({
    name: `order-of-rooms-${room.replace('src/', '')}`,
    comment: 'A room imports itself and the rooms to its right.',
    severity: 'error',
    from: { path: anyOf([room]) },
    // Who may import adapters is said below.
    to: { path: ours, pathNot: [anyOf([room, ...order.slice(floor + 1).flat()]), '^src/adapters/'] },
  })),
);

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'every-file-has-a-room',
      comment: 'main.ts is the only loose file; a new room gets its place in the order first.',
      severity: 'error',
      from: { path: ours, pathNot: [anyOf(order.flat()), '^src/adapters/'] },
      to: {},
    },
    ...roomRules,
    {
      name: 'adapters',
      comment:
        'An adapter knows its port and nothing above; how a text is cut into words is the same for each of them.',
      severity: 'error',
      from: { path: '^src/adapters/' },
      to: { path: ours, pathNot: '^src/(adapters|concurrency|openai|ports|kernel|search/words)/' },
    },
    {
      name: 'adapters-do-not-know-each-other',
      severity: 'error',
      from: { path: '^src/adapters/([^/]+)/' },
      to: { path: '^src/adapters/[^/]+/', pathNot: '^src/adapters/($1|threads|dispatch)/' },
    },
    {
      name: 'who-uses-adapters',
      comment: 'compose/ alone knows which adapter is used; doctor/ asks their probes, cli/ needs the system.',
      severity: 'error',
      from: { path: ours, pathNot: '^src/(adapters|compose|doctor|cli)/' },
      to: { path: '^src/adapters/' },
    },
    {
      name: 'doctor-asks-probes',
      severity: 'error',
      from: { path: '^src/doctor/' },
      to: {
        path: '^src/adapters/',
        pathNot: '^src/adapters/(system/|[^/]+/(probe|client|connection|failures|server-check)\\.ts$)',
      },
    },
    {
      name: 'cli-needs-the-system',
      severity: 'error',
      from: { path: '^src/cli/' },
      to: { path: '^src/adapters/', pathNot: '^src/adapters/system/' },
    },
    {
      name: 'commands-are-loaded-when-they-run',
      comment: 'Telling about a command, or running a short one, must not cost what the whole service does.',
      severity: 'error',
      from: { path: '^src/(main|cli/(all-commands|cli-command|command-line))\\.ts$' },
      to: {
        path: ours,
        pathNot: '^src/(cli/(all-commands|cli-command|command-line)|kernel/[^/]+)\\.ts$',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'one-folder-per-vendor',
      comment: "A store's driver is imported by its adapter only.",
      severity: 'error',
      from: { pathNot: '^src/adapters/' },
      to: {
        path: '^node_modules/(better-sqlite3|kafkajs|mongodb|onnxruntime-node|prom-client|tiktoken|undici|@eventstore|@grpc|protobufjs|@opensearch-project)',
      },
    },
    {
      name: 'vendor-free-core',
      comment: 'commands, projections and queries meet no library but zod.',
      severity: 'error',
      from: { path: '^(commands|projections|queries)/' },
      to: { path: '^node_modules/', pathNot: '^node_modules/zod/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
};
