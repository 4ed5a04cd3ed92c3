import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { registryEventSchemas } from '../src/delivery/registry-event-schemas.ts';

const folder = new URL('schemas/', import.meta.url);
rmSync(folder, { recursive: true, force: true }); // so that no schema of a type stays that is no longer published
mkdirSync(folder);
for (const [name, schema] of registryEventSchemas()) {
  writeFileSync(new URL(name, folder), `${JSON.stringify(schema, null, 2)}\n`);
}
