import type { CallToolResult } from '@modelcontextprotocol/server';
import { ERROR_CODES } from '@penstock/common/errors/codes.ts';
import { toPenstockError } from '../../http/to-penstock-error.ts';
import type { ToolCall } from '../tool-call.ts';

/** Hints for whoever decides whether a call needs to be confirmed: it only reads, and only this service's tables. */
export const READ_ONLY = Object.freeze({
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
});

/** A result as data and as text; the text is given where it says more than the data can. */
export function toolResult(structuredContent: Record<string, unknown>, text?: string): CallToolResult {
  return { structuredContent, content: [{ type: 'text', text: text ?? JSON.stringify(structuredContent) }] };
}

/**
 * Does the work of a tool. What goes wrong is the tool's result, so that the model reads it and can mend its call: the
 * message, then the place in the statement, the nearest names and what to do.
 */
export async function toolOutcome(
  { exchange }: Pick<ToolCall, 'exchange'>,
  work: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    const { code, message, detail } = toPenstockError(error);
    if (ERROR_CODES[code].category === 'internal') {
      exchange.logger.error({ err: error }, message);
    }
    const text = [
      `${code}: ${message}`,
      ...(detail === undefined ? [] : [detail]),
      ...(code === 'INTERNAL' ? [`Request ID: ${exchange.requestId}`] : []),
    ].join('\n');
    return { isError: true, content: [{ type: 'text', text }] };
  }
}
