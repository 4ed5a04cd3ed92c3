import { derivedId } from '../../kernel/ids.ts';

/** A token's record is found by the lookup part of its text alone, without an index. */
export const tokenIdOf = (lookup: string): string => derivedId('tok', lookup);
