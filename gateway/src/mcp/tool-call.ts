import type { GatewayClients } from '../clients/gateway-clients.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Caller } from '../middleware/admission.ts';
import type { RunningCalls } from './running-calls.ts';

/** What a tool works with: one request of one caller. */
export interface ToolCall {
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly clients: Pick<GatewayClients, 'queries' | 'catalog'>;
  readonly running: RunningCalls;
  /** Who may cancel it. */
  readonly agent: string;
}
