import { z } from 'zod';

const TOKEN_CHARS_MAX = 4_096;

/** Of a list that has pages; a parameter that is not given is no key, as messages want it. */
export const pageParameters = z
  .strictObject({ nextToken: z.string().min(1).max(TOKEN_CHARS_MAX).optional() })
  .transform(({ nextToken }) => (nextToken === undefined ? {} : { nextToken }));

/** Where a list goes on, as an answer says it. */
export const nextOf = ({ nextToken }: { readonly nextToken?: string | undefined }): { nextToken?: string } =>
  nextToken === undefined ? {} : { nextToken };
