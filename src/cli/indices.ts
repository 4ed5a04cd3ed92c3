import { type IndexRow, loadOpenSearchIndices, openSearchPlaceOf } from '../compose/stores/open-search-place.ts';
import { backendsOf } from '../config/backend-settings.ts';
import { StartupError } from '../kernel/startup-error.ts';
import { type RunCommand, UsageError } from './cli-command.ts';
import { tableOf } from './table.ts';

const stateOf = ({ state, differences, generation }: IndexRow): string => {
  if (state === 'differs') return `differs from ours: ${differences.join(', ')}`;
  if (state === 'made' && generation !== null) return 'made, and empty: whoever projects fills it from the first event';
  return state === 'missing' ? 'is missing: registry indices ensure makes it' : state;
};

const rowOf = (row: IndexRow): string[] => [
  row.name,
  row.generation === null ? '' : String(row.generation),
  row.isLive ? 'live' : '',
  stateOf(row),
];

const noGeneration =
  'There is no generation of the search index yet: the first process that fills one makes its indexes.\n';

export const runIndices: RunCommand = async ({ config, words, json, print, note }) => {
  if (words.length > 1 || (words[0] !== undefined && words[0] !== 'ensure')) {
    throw new UsageError('Say: indices, or indices ensure.');
  }
  const place = openSearchPlaceOf(backendsOf(config));
  if (place === null)
    throw new StartupError('OPENSEARCH_URL is not set: the embedded search index needs nothing made.');
  const { ensureIndices, lookAtIndices } = await loadOpenSearchIndices();
  const rows = await (words[0] === 'ensure' ? ensureIndices(place) : lookAtIndices(place));
  if (json) print(JSON.stringify({ indices: rows }));
  else print(tableOf(['index', 'generation', 'live', 'state'], rows.map(rowOf)));
  if (!json && rows.every(({ generation }) => generation === null)) note(noGeneration);
  return rows.some(({ state }) => state === 'differs') ? 1 : 0;
};
