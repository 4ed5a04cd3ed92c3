// Dependencies point one way: kernel <- domain, ports <- commands, projections, queries <- runtime, adapters <- compose.
const only = (name, from, to, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|commands|projections|queries)/', pathNot: to },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    only('kernel-imports-nothing-of-ours', '^src/kernel/', '^src/kernel/', 'Shared pure values.'),
    only('domain', '^src/domain/', '^src/(kernel|domain|ingest)/', 'Pure events and states.'),
    only('ingest', '^src/ingest/', '^src/(kernel|domain|ingest|ports)/', 'Parsers and classification.'),
    only('ports', '^src/ports/', '^src/(kernel|ports)/', 'A port is one short file.'),
    only('commands', '^commands/', '^(commands|src/(kernel|domain|ingest))/', 'Decisions are pure.'),
    only('projections', '^projections/', '^(projections|src/(kernel|domain))/', 'Folds are pure.'),
    only('catalogue', '^src/catalogue/', '^(projections|src/(kernel|domain|ports|catalogue))/', 'Rows in memory.'),
    only('queries', '^queries/', '^(queries|projections|src/(kernel|domain|ports|catalogue))/', 'Reads over ports.'),
    only('delivery', '^src/delivery/', '^src/(kernel|domain|ports|delivery)/', 'Webhook policy, pure.'),
    only('runtime', '^src/runtime/', '^src/(kernel|domain|ports|delivery|runtime)/', 'Machinery without a vendor.'),
    only(
      'http',
      '^src/http/',
      '^(commands|queries|projections|src/(kernel|domain|ingest|ports|catalogue|delivery|runtime|http))/|^src/service-version',
      'Routes over commands and queries.',
    ),
    only('adapters', '^src/adapters/', '^src/(kernel|ports|adapters)/', 'An adapter knows its port and nothing above.'),
    {
      name: 'adapters-do-not-know-each-other',
      severity: 'error',
      from: { path: '^src/adapters/([^/]+)/' },
      to: { path: '^src/adapters/[^/]+/', pathNot: '^src/adapters/($1|threads|bus)/' },
    },
    {
      name: 'one-folder-per-vendor',
      comment: "A store's driver is imported by its adapter only.",
      severity: 'error',
      from: { pathNot: '^src/adapters/' },
      to: {
        path: '^node_modules/(better-sqlite3|gpt-tokenizer|mongodb|kafkajs|undici|@eventstore|@opensearch-project)',
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
