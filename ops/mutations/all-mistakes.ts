import type { Mistake } from './mistake.ts';
import { answerMistakes } from './mistakes/answers.ts';
import { batchByteMistakes } from './mistakes/batch-bytes.ts';
import { changelogMistakes } from './mistakes/changelogs.ts';
import { commandMistakes } from './mistakes/commands.ts';
import { deliveryMistakes } from './mistakes/delivery.ts';
import { documentMistakes } from './mistakes/documents.ts';
import { doorMistakes } from './mistakes/door.ts';
import { embedderMistakes } from './mistakes/embedders.ts';
import { entitySearchMistakes } from './mistakes/entity-search.ts';
import { eventMistakes } from './mistakes/events.ts';
import { feedMistakes } from './mistakes/feeds.ts';
import { fetchingMistakes } from './mistakes/fetching.ts';
import { generationMistakes } from './mistakes/generation.ts';
import { importMistakes } from './mistakes/importing.ts';
import { jointWriteMistakes } from './mistakes/joint-writes.ts';
import { listMistakes } from './mistakes/lists.ts';
import { metricMistakes } from './mistakes/metrics.ts';
import { formMistakes } from './mistakes/forms.ts';
import { httpProcessMistakes } from './mistakes/http-processes.ts';
import { lookupMistakes } from './mistakes/lookups.ts';
import { openSearchMistakes } from './mistakes/opensearch.ts';
import { pastMistakes } from './mistakes/past.ts';
import { purgeMistakes } from './mistakes/purges.ts';
import { publicReadMistakes } from './mistakes/public-reads.ts';
import { rateLimitMistakes } from './mistakes/rate-limits.ts';
import { readyAnswerMistakes } from './mistakes/ready-answers.ts';
import { readingMistakes } from './mistakes/reading.ts';
import { readModelMistakes } from './mistakes/read-models.ts';
import { releaseMistakes } from './mistakes/releases.ts';
import { searchMistakes } from './mistakes/search.ts';
import { searchingMistakes } from './mistakes/searching.ts';
import { searchAnswerMistakes } from './mistakes/search-answers.ts';
import { statsMistakes } from './mistakes/stats.ts';
import { textMistakes } from './mistakes/texts.ts';
import { thirdPartyMistakes } from './mistakes/third-parties.ts';
import { writeMistakes } from './mistakes/writes.ts';

export const allMistakes: readonly Mistake[] = [
  ...readyAnswerMistakes,
  ...eventMistakes,
  ...readModelMistakes,
  ...commandMistakes,
  ...writeMistakes,
  ...releaseMistakes,
  ...searchMistakes,
  ...openSearchMistakes,
  ...searchingMistakes,
  ...searchAnswerMistakes,
  ...entitySearchMistakes,
  ...textMistakes,
  ...purgeMistakes,
  ...deliveryMistakes,
  ...readingMistakes,
  ...publicReadMistakes,
  ...statsMistakes,
  ...pastMistakes,
  ...jointWriteMistakes,
  ...listMistakes,
  ...doorMistakes,
  ...rateLimitMistakes,
  ...httpProcessMistakes,
  ...formMistakes,
  ...answerMistakes,
  ...lookupMistakes,
  ...feedMistakes,
  ...thirdPartyMistakes,
  ...changelogMistakes,
  ...importMistakes,
  ...fetchingMistakes,
  ...generationMistakes,
  ...embedderMistakes,
  ...metricMistakes,
  ...documentMistakes,
  ...batchByteMistakes,
];
