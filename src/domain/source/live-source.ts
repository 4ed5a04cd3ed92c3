import { type FactRequests, fact } from '../../kernel/command.ts';
import { streamOf } from '../../kernel/stream-name.ts';
import { type OrgFact, orgFactOf, requireLiveChild } from '../org/org-fact.ts';
import { type SourceState, source } from './state.ts';

/** What a decision about something below a source knows of it. */
export interface SourceFact extends OrgFact {
  readonly source: SourceState;
}

/** The source names its org. */
export const sourceFact = (sourceId: string, known: Partial<SourceFact>): FactRequests<SourceFact> => ({
  source: fact(streamOf('source', sourceId), source),
  ...(known.source && orgFactOf(known.source)),
});

export const requireLiveSource = ({ source, ...org }: SourceFact): void => requireLiveChild('source', source, org);
