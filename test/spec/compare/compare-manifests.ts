import { orgManifest } from '../../../queries/orgs/org-manifest.ts';
import { manifestFaults } from '../manifest-validator.ts';
import { naiveManifest } from '../naive/naive-manifest.ts';
import { answerOf, type Comparison, publicly, same } from './comparison.ts';

/** Of every org, each held against the schema too. */
export const compareManifests = async (comparison: Comparison): Promise<void> => {
  const { reading, view, random } = comparison;
  for (const org of view.registry.orgs) {
    const ask = () => orgManifest(reading, { org: org.id, registryName: 'mine' }, publicly(comparison));
    const answer = await answerOf(ask);
    const isVisible = view.orgs.includes(org);
    same(`manifest of ${org.id}`, isVisible ? { answer: naiveManifest(view, org) } : { refused: 'not_found' }, answer);
    if (isVisible && random.chance(20)) same(`faults of the manifest of ${org.id}`, [], manifestFaults(ask()));
  }
};
