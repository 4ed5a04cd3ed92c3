import { openRegistry } from '../../src/compose/registry.ts';

// A whole registry that projects what others write, until it is killed.
const [dataDir = ''] = process.argv.slice(2);
await openRegistry({
  backends: { dataDir },
  logLevel: 'error',
  webBaseUrl: 'https://registry.example',
  onFatal: (error) => {
    throw error;
  },
});
process.stdout.write('ready\n');
