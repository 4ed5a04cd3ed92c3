import { z } from 'zod';

/** RFC 3339 in UTC with milliseconds, like every instant that leaves the service. */
export const timestamp = z.iso.datetime({ precision: 3 });
