import { orgActivity } from '../../../queries/orgs/org-activity.ts';
import { sourceActivity } from '../../../queries/sources/source-activity.ts';
import { type NaiveDays, naiveOrgActivity, naiveSourceActivity } from '../naive/naive-activity.ts';
import { publishedAtOf } from '../naive/naive-view.ts';
import { type Comparison, publicly, same } from './comparison.ts';

/** Days of releases and their neighbours, or none, so that both sides of a week and of an end are met. */
const randomDays = ({ view, random }: Comparison): NaiveDays => {
  const dates = view.registry.releases.map(publishedAtOf).filter((date) => date !== null);
  const day = () => {
    if (dates.length === 0 || random.chance(40)) return null;
    return new Date(Date.parse(random.pick(dates)) + random.int(-7, 7) * 86_400_000).toISOString().slice(0, 10);
  };
  const [a, b] = [day(), day()];
  return a !== null && b !== null && a > b ? { from: b, to: a } : { from: a, to: b };
};

const asAsked = ({ from, to }: NaiveDays) => ({
  fromMs: from === null ? null : Date.parse(from),
  toMs: to === null ? null : Date.parse(to),
});

const everything: NaiveDays = { from: null, to: null };

export const compareActivity = (comparison: Comparison): void => {
  const { reading, view, random } = comparison;
  const asking = publicly(comparison);
  for (const org of view.orgs) {
    for (const days of [everything, randomDays(comparison)]) {
      const input = { org: random.pick([org.id, org.slug]), ...asAsked(days) };
      same(`activity of org ${org.id}`, naiveOrgActivity(view, org, days), orgActivity(reading, input, asking));
    }
  }
  for (const row of view.sources) {
    const source = reading.catalogue.source(row.id)!;
    for (const days of [everything, randomDays(comparison)]) {
      const answer = sourceActivity(reading, { source, ...asAsked(days) }, asking);
      same(`activity of source ${row.id}`, naiveSourceActivity(view, row, days), answer);
    }
  }
};
