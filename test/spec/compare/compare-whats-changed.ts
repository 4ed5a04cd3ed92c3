import { whatsChanged } from '../../../queries/whats-changed/whats-changed.ts';
import { naiveWhatsChanged } from '../naive/naive-whats-changed.ts';
import { historyPackages, historyRepositories } from '../random-history/entity-fields.ts';
import { historyVersions } from '../random-history/release-items.ts';
import { answerOf, type Comparison, publicly, same } from './comparison.ts';

/** Ranges between versions that releases have or nearly have, of packages named in every way. */
export const compareWhatsChanged = async (comparison: Comparison): Promise<void> => {
  const { reading, view, random } = comparison;
  const bound = () => random.pick([...historyVersions, ...historyVersions, '0', '999', '2', 'nothing']);
  const ask = async (name: string, ecosystem: 'npm' | 'pypi' | 'github' | null) => {
    const asked = { package: name, from: bound(), to: bound(), ecosystem };
    const answer = await answerOf(() => whatsChanged(reading, asked, publicly(comparison)));
    same(`what changed ${JSON.stringify(asked)}`, naiveWhatsChanged(view, asked), answer);
  };
  for (const source of view.registry.sources) {
    await ask(source.id, null);
    await ask(source.slug, random.pick([null, 'npm', 'github']));
  }
  for (const name of historyPackages) await ask(name, random.pick(['npm', 'pypi']));
  for (const name of historyRepositories) await ask(name, random.pick(['github', 'github', null]));
};
