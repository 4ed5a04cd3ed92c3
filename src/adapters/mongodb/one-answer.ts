/**
 * So many at the most, in one answer of the server unless they have more than 16 MB. The limit tells it that none follows:
 * where only the size of an answer is told, and it is full, the driver has to ask once more for the rest.
 */
export const inOneAnswer = (limit: number) => ({ limit, batchSize: limit });
