import { createMadeOnce } from '../../concurrency/made-once.ts';
import type { LoadPackedFiles } from '../../ports/packed-files.ts';
import { etagOf } from '../caching.ts';
import type { Reference, ReferenceFile } from './reference.ts';

const versionChars = 12;

/** Addresses are relative: the service may stand below a path of a host. */
const pageOf = (version: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Release Registry Service: reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/${version}/swagger-ui.css">
<link rel="stylesheet" href="docs/${version}/start.css">
</head>
<body>
<noscript>This reference is made by a script. The same for machines: <a href="openapi.json">openapi.json</a>.</noscript>
<div id="reference"></div>
<script src="docs/${version}/swagger-ui-bundle.js"></script>
<script src="docs/${version}/start.js"></script>
</body>
</html>
`;

/** Loaded when somebody first asks for it. */
export function createReference(load: LoadPackedFiles): Reference {
  const loaded = createMadeOnce(async () => {
    const files = (await load()).map((file): ReferenceFile => ({ ...file, etag: etagOf(file.bytes) }));
    const version = etagOf(Buffer.from(files.map(({ etag }) => etag).join())).slice(1, 1 + versionChars);
    return { version, byName: new Map(files.map((file) => [file.name, file])) };
  });
  return {
    page: async () => pageOf((await loaded()).version),
    file: async (name) => (await loaded()).byName.get(name) ?? null,
    version: async () => (await loaded()).version,
  };
}
