import type { Mistake } from './mistake.ts';
import { commandMistakes } from './mistakes/commands.ts';
import { deliveryMistakes } from './mistakes/delivery.ts';
import { doorMistakes } from './mistakes/door.ts';
import { eventMistakes } from './mistakes/events.ts';
import { purgeMistakes } from './mistakes/purges.ts';
import { readingMistakes } from './mistakes/reading.ts';
import { readModelMistakes } from './mistakes/read-models.ts';
import { releaseMistakes } from './mistakes/releases.ts';

export const allMistakes: readonly Mistake[] = [
  ...eventMistakes,
  ...readModelMistakes,
  ...commandMistakes,
  ...releaseMistakes,
  ...purgeMistakes,
  ...deliveryMistakes,
  ...readingMistakes,
  ...doorMistakes,
];
