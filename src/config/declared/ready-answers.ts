import { setting, wholeNumber } from '../setting-kinds.ts';

export const readyAnswersMibDefault = 64;

/** More than that is more than one process can hold. */
const mibMax = 65_536;

/** Of what is kept in memory. */
export const readyAnswersSettings = {
  READY_ANSWERS_MIB: setting(
    {
      description: 'How many MiB of public answers this process keeps ready in memory; 0 keeps none.',
      mustBe: `a whole number of MiB from 0 to ${mibMax}`,
      fallback: String(readyAnswersMibDefault),
    },
    wholeNumber(mibMax).prefault(String(readyAnswersMibDefault)),
  ),
};
