import { type DestinationStream, pino } from 'pino';
import type { Log } from '../../ports/log.ts';

export interface LogOptions {
  readonly level: string;
  readonly destination?: DestinationStream;
}

/** JSON lines on standard error, so that standard output stays free for what a command answers. */
export function createLog({ level, destination = pino.destination(2) }: LogOptions): Log {
  const logger = pino({ level, serializers: { error: pino.stdSerializers.err } }, destination);
  return {
    info: (sentence, fields = {}) => logger.info(fields, sentence),
    warn: (sentence, fields = {}) => logger.warn(fields, sentence),
    error: (sentence, fields = {}) => logger.error(fields, sentence),
  };
}
