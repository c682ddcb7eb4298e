import type { CallToolResult } from '@modelcontextprotocol/server';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { mapAndLog } from '../../http/to-penstock-error.ts';
import { DATA_NOTICE, markedJson, markedText } from '../data-marks.ts';
import { TOOL_OUTPUT_BYTES_MAX } from '../limits.ts';
import type { ToolCall } from '../tool-call.ts';

/**
 * Hints for clients that ask before a call. Tools only read, but anybody may have written what they read, as with
 * pages of the web.
 */
export const READ_ONLY = Object.freeze({
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
});

/** Bytes of text and structured content together, in UTF-8. */
export function outputBytes({ content, structuredContent }: CallToolResult): number {
  const texts = content.map((block) => ('text' in block ? Buffer.byteLength(String(block.text)) : 0));
  const structured =
    structuredContent === undefined ? 0 : Buffer.byteLength(JSON.stringify(structuredContent));
  return texts.reduce((sum, bytes) => sum + bytes, structured);
}

/** A result as data and as JSON; the JSON is given where it says more than the data can. */
export function toolResult(data: Record<string, unknown>, json = JSON.stringify(data)): CallToolResult {
  return { structuredContent: { notice: DATA_NOTICE, ...data }, content: markedJson(json) };
}

/** A result as data and as a text that is no JSON. */
export function textResult(data: Record<string, unknown>, text: string): CallToolResult {
  return { structuredContent: { notice: DATA_NOTICE, ...data }, content: markedText(text) };
}

/** True where a result of this data stays within the bound, as text and as structured content. */
export function fitsResult(data: Record<string, unknown>): boolean {
  return outputBytes(toolResult(data)) <= TOOL_OUTPUT_BYTES_MAX;
}

/**
 * Does the work of a tool, in its turn. An error becomes the tool's result, so that the model can read it and correct
 * its call: the message, the place in the statement, the nearest names and what to do. Never rejects.
 */
export async function toolOutcome(
  { exchange, turns }: Pick<ToolCall, 'exchange' | 'turns'>,
  work: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  try {
    return await turns.run(async () => {
      const result = await work();
      if (outputBytes(result) <= TOOL_OUTPUT_BYTES_MAX) return result;
      throw new PenstockError(
        'RESOURCE_EXHAUSTED',
        `The answer is larger than ${TOOL_OUTPUT_BYTES_MAX} bytes: ask for less at a time`,
      );
    }, outputBytes);
  } catch (error) {
    const { code, message, detail } = mapAndLog(exchange, error);
    const text = [
      `${code}: ${message}`,
      ...(detail === undefined ? [] : [detail]),
      ...(code === 'INTERNAL' ? [`Request ID: ${exchange.requestId}`] : []),
    ].join('\n');
    return { isError: true, content: markedText(text) };
  }
}
