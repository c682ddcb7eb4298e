import { QUEUE_NAMES } from '@penstock/common/queue/names.ts';
import { z } from 'zod';

/** The queue of background refreshes. */
export const REFRESH_QUEUE = QUEUE_NAMES.refresh;

/** What a background refresh is about. It names no role and no external ID: the worker reads the record itself. */
export const refreshJobSchema = z.object({
  tenantId: z.string().min(1),
  schemaName: z.string().min(1),
  /** A schema that has been deleted and created again since is not the one that was meant. */
  incarnation: z.string().min(1),
  /** Null: all tables of the schema. */
  tableName: z.string().min(1).nullable(),
  /** Of the request that asked for it. */
  requestId: z.string(),
});

/** One of them. */
export type RefreshJob = z.infer<typeof refreshJobSchema>;
