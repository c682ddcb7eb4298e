import { z } from 'zod';

const TOKEN_CHARS_MAX = 4_096;

/** Of a list that has pages. */
export const pageParameters = z.strictObject({
  nextToken: z.string().min(1).max(TOKEN_CHARS_MAX).optional(),
});
