import type { GatewayClients } from '../clients/gateway-clients.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Caller } from '../middleware/admission.ts';
import type { QueryUsage } from '../usage/query-usage.ts';
import type { MessageId } from './running-calls.ts';
import type { ToolTurns } from './tool-turns.ts';

/** What a tool works with: one request of one caller. */
export interface ToolCall {
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly clients: Pick<GatewayClients, 'queries' | 'catalog'>;
  readonly usage: QueryUsage;
  /** Where the REST API is, for what it has and tools have not. */
  readonly baseUrl: string;
  /** Of all tool calls of the request. */
  readonly turns: ToolTurns;
  /** Does a request's work with a signal that aborts when the agent cancels that request by a message. */
  readonly cancellable: <T>(id: MessageId, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
}
