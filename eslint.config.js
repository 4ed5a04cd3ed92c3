import tseslint from 'typescript-eslint';

// The seams, which need `no-restricted-syntax`; everything else stands in .oxlintrc.json.

// Time, chance, the network and the disk come in through ports everywhere but at the edges, so that a simulation can
// replace them. `new Date(value)` and `Date.UTC` only convert and are fine.
const seams = {
  'no-restricted-syntax': [
    'error',
    {
      selector: "MemberExpression[object.name='Date'][property.name='now']",
      message: 'Take the time from the clock port.',
    },
    {
      selector: "NewExpression[callee.name='Date'][arguments.length=0]",
      message: 'Take the time from the clock port.',
    },
    { selector: "CallExpression[callee.name='Date']", message: 'Take the time from the clock port.' },
    {
      selector: "MemberExpression[object.name='Math'][property.name='random']",
      message: 'Take chance from the random port.',
    },
    {
      selector: "MemberExpression[object.name='performance'][property.name='now']",
      message: 'Take the time from the clock port.',
    },
    {
      selector: "MemberExpression[object.name='URL'][property.name='canParse']",
      message: 'Ask src/kernel/address/parse-url.ts: Node 20 answers wrongly once this is compiled.',
    },
    {
      selector: 'CallExpression[callee.name=/^random(UUID|Bytes|Int)$/]',
      message: 'Take chance from the random or ids port.',
    },
    {
      selector: 'MemberExpression[property.name=/^(randomUUID|randomBytes|randomInt|getRandomValues)$/]',
      message: 'Take chance from the random or ids port.',
    },
  ],
  'no-restricted-globals': [
    'error',
    ...['setTimeout', 'setInterval', 'setImmediate', 'fetch'].map((name) => ({
      name,
      message: 'Use the clock or http-client port.',
    })),
  ],
  'no-restricted-imports': [
    'error',
    {
      patterns: [
        { regex: '^(node:)?fs(/.*)?$', message: 'Files belong to adapters.' },
        { regex: '^(node:)?timers(/.*)?$', message: 'Use the clock port.' },
        {
          regex: '^(node:)?(http|https|net)$',
          message: 'The network belongs to adapters.',
        },
      ],
    },
  ],
};

export default tseslint.config(
  { ignores: ['dist/', '.built/', '.bench/', 'node_modules/', 'data/', '.stack/', '**/*.cjs', '**/*.js'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.base],
  },
  {
    files: ['src/**/*.ts', 'commands/**/*.ts', 'projections/**/*.ts', 'queries/**/*.ts'],
    ignores: ['src/adapters/**', 'src/cli/**', 'src/main.ts', 'src/compose/threads/**'],
    rules: seams,
  },
  {
    files: ['src/adapters/embedded/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: ':matches(TemplateElement[value.raw=/LIMIT [?]/], Literal[value=/LIMIT [?]/])',
          message: 'Use limitSql of sqlite/limit.ts: this is prepared anew for each value.',
        },
      ],
    },
  },
);
