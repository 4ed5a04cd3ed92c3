import { readFileSync, writeFileSync } from 'node:fs';
import { withConfigTable } from '../src/config-table.ts';

const readme = new URL('../README.md', import.meta.url);
writeFileSync(readme, withConfigTable(readFileSync(readme, 'utf8')));
