import { type InstantsDocument, instantsPlace } from '../../projections/instants/instants.ts';
import { joinMonths, type MonthInstants, monthInstants, noInstants, type SourceInstants } from './source-instants.ts';

/** Keeps the months apart, as they change one by one, and joins them when somebody asks. */
export const createInstantsBySource = () => {
  const monthsBySource = new Map<string, Map<string, MonthInstants>>();
  const joined = new Map<string, SourceInstants>();

  return {
    apply: (doc: InstantsDocument) => {
      const months = monthsBySource.get(doc.sourceId) ?? new Map<string, MonthInstants>();
      monthsBySource.set(doc.sourceId, months.set(doc.month, monthInstants(doc)));
      joined.delete(doc.sourceId);
    },
    remove: (id: string) => {
      const { sourceId, month } = instantsPlace(id);
      monthsBySource.get(sourceId)?.delete(month);
      joined.delete(sourceId);
    },
    instantsOf: (sourceId: string): SourceInstants => {
      const known = joined.get(sourceId);
      if (known !== undefined) return known;
      const months = monthsBySource.get(sourceId);
      if (months === undefined) return noInstants;
      const instants = joinMonths(months);
      joined.set(sourceId, instants);
      return instants;
    },
  };
};
