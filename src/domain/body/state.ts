import type { Model } from '../../kernel/model.ts';
import { isBodyRef, type StoredText } from './body-ref.ts';
import type { BodyEvent } from './events.ts';
import { joinParts } from './split-body.ts';

export interface BodyState {
  readonly parts: readonly string[];
  /** Null until the last part is there. */
  readonly text: string | null;
}

const empty: BodyState = { parts: [], text: null };

export const body: Model<BodyState, BodyEvent> = {
  foldVersion: 1,
  initial: empty,
  evolve: (state, { type, data }) => {
    if (type === 'BodyErased.v1') return empty;
    const parts = [...state.parts];
    parts[data.part] = data.text; // by number, so that a part stored twice changes nothing
    const partsStored = Object.keys(parts).length; // leaves out holes
    return { parts, text: partsStored === data.parts ? joinParts(parts) : null };
  },
};

/** The text itself, from the owner's event or from the body that this names. */
export const textOf = (stored: StoredText, loaded: BodyState | undefined): string => {
  if (!isBodyRef(stored)) return stored;
  const text = loaded?.text ?? null;
  // A body is complete before any event names it, so this is damage, not a state to work around.
  if (text?.length !== stored.chars) throw new Error(`The body ${stored.sha256} is missing or incomplete.`);
  return text;
};
