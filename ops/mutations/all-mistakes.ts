import type { Mistake } from './mistake.ts';
import { answerMistakes } from './mistakes/answers.ts';
import { changelogMistakes } from './mistakes/changelogs.ts';
import { commandMistakes } from './mistakes/commands.ts';
import { deliveryMistakes } from './mistakes/delivery.ts';
import { doorMistakes } from './mistakes/door.ts';
import { eventMistakes } from './mistakes/events.ts';
import { feedMistakes } from './mistakes/feeds.ts';
import { fetchingMistakes } from './mistakes/fetching.ts';
import { generationMistakes } from './mistakes/generation.ts';
import { listMistakes } from './mistakes/lists.ts';
import { formMistakes } from './mistakes/forms.ts';
import { lookupMistakes } from './mistakes/lookups.ts';
import { pastMistakes } from './mistakes/past.ts';
import { purgeMistakes } from './mistakes/purges.ts';
import { publicReadMistakes } from './mistakes/public-reads.ts';
import { readingMistakes } from './mistakes/reading.ts';
import { readModelMistakes } from './mistakes/read-models.ts';
import { releaseMistakes } from './mistakes/releases.ts';
import { textMistakes } from './mistakes/texts.ts';
import { thirdPartyMistakes } from './mistakes/third-parties.ts';

export const allMistakes: readonly Mistake[] = [
  ...eventMistakes,
  ...readModelMistakes,
  ...commandMistakes,
  ...releaseMistakes,
  ...textMistakes,
  ...purgeMistakes,
  ...deliveryMistakes,
  ...readingMistakes,
  ...publicReadMistakes,
  ...pastMistakes,
  ...listMistakes,
  ...doorMistakes,
  ...formMistakes,
  ...answerMistakes,
  ...lookupMistakes,
  ...feedMistakes,
  ...thirdPartyMistakes,
  ...changelogMistakes,
  ...fetchingMistakes,
  ...generationMistakes,
];
