// The page of the reference runs this: no script may stand in the page itself.

const valueAt = (root, path) => path.reduce((value, key) => value?.[key], root);

const pathOf = (reference) =>
  reference
    .slice(2)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The value with what its references name in their places; one inside of what it names itself stays as it is. */
function resolved(root, value, within = []) {
  if (Array.isArray(value)) return value.map((each) => resolved(root, each, within));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref: reference } = value;
  if (typeof reference === 'string') {
    if (within.includes(reference)) return value;
    const named = resolved(root, valueAt(root, pathOf(reference)), [...within, reference]);
    return { ...named, $$ref: reference }; // by which the renderer tells the name
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(root, each, within)]));
}

/**
 * The renderer's own way takes the whole document apart for each operation that somebody opens, which keeps a browser busy
 * for a second. All our references are within the document, so that there is nothing to load.
 */
const resolveHere = () => ({
  fn: { resolveSubtree: async (root, path) => ({ spec: resolved(root, valueAt(root, path)) ?? null, errors: [] }) },
});

SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  plugins: [resolveHere],
  deepLinking: true,
  docExpansion: 'none', // so many operations: whoever looks for one opens its part, or filters
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null, // it would be asked at another host
  persistAuthorization: false, // a credential stays on the page and is written nowhere
  queryConfigEnabled: false, // a link must not make it show the interface of somebody else
});
