import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { z } from 'zod';
import { MESSAGES_MAX } from './limits.ts';
import type { MessageId } from './running-calls.ts';
import { isToolName, type ToolName } from './scopes.ts';

const messageId = z.union([z.string(), z.number()]);
const identified = z.object({ id: messageId });
const toolCall = z.object({ method: z.literal('tools/call'), params: z.object({ name: z.string() }) });

const cancellation = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: messageId }),
});

/** The messages of a body: JSON-RPC may batch, and protocol revision 2025-03-26 does. */
export function messagesIn(body: unknown): readonly unknown[] {
  if (!Array.isArray(body)) return [body];
  if (body.length <= MESSAGES_MAX) return body;
  throw new PenstockError('VALIDATION_ERROR', `A batch may have at most ${MESSAGES_MAX} messages`);
}

/** The tool that a message calls, where it calls one of ours. */
export function calledTool(message: unknown): ToolName | null {
  const name = toolCall.safeParse(message).data?.params.name;
  return name !== undefined && isToolName(name) ? name : null;
}

/** The ID that an error is answered under; null where the body has none or several. */
export function requestIdIn(body: unknown): MessageId | null {
  return identified.safeParse(body).data?.id ?? null;
}

/** The request that a message cancels. */
export function cancelledId(message: unknown): MessageId | null {
  return cancellation.safeParse(message).data?.params.requestId ?? null;
}
