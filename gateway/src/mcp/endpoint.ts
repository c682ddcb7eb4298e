import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, isJsonContentType, OAuthErrorCode } from '@modelcontextprotocol/server';
import type { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import { ATTRIBUTES } from '@penstock/common/telemetry/names.ts';
import { annotate } from '@penstock/common/telemetry/spans.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import type { Principal } from '@penstock/common/token/principal.ts';
import type { GatewayClients } from '../clients/gateway-clients.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Exchange } from '../http/exchange.ts';
import { mapAndLog, toPenstockError } from '../http/to-penstock-error.ts';
import type { TenantLimiter } from '../limiting/tenant-limiter.ts';
import type { WrongTries } from '@penstock/common/throttling/wrong-tries.ts';
import type { Caller } from '../middleware/admission.ts';
import type { QueryUsage } from '../usage/query-usage.ts';
import { readJsonBody } from '../validation/json-body.ts';
import { authenticate } from './authenticate.ts';
import { createGoodTokens } from './good-tokens.ts';
import { BATCH_OUTPUT_BYTES_MAX } from './limits.ts';
import { calledTool, cancelledId, messagesIn, requestIdIn } from './messages.ts';
import { challenge, refuse, refuseWith } from './refuse.ts';
import { callName, type RunningCalls } from './running-calls.ts';
import { MCP_SCOPES, scopesFor, TOOL_SCOPES } from './scopes.ts';
import { createServer } from './server.ts';
import type { ToolCall } from './tool-call.ts';
import { createToolTurns } from './tool-turns.ts';

export const MCP_PATH = '/mcp';

export interface McpOptions {
  readonly clients: Pick<GatewayClients, 'oauth' | 'queries' | 'catalog'>;
  readonly limiter: TenantLimiter;
  readonly usage: QueryUsage;
  readonly clock: Clock;
  readonly running: RunningCalls;
  readonly wrongTokens: WrongTries;
  /** What tokens are for: `{mcp_url}/mcp`. */
  readonly resource: URL;
  /** Where the REST API is. */
  readonly baseUrl: string;
}

/** A body that was read, or why it could not be. */
type ReadBody = { readonly value: unknown } | { readonly problem: PenstockError };

async function readBody(exchange: Exchange): Promise<ReadBody> {
  try {
    const { value } = await readJsonBody(exchange);
    messagesIn(value);
    return { value };
  } catch (error) {
    return { problem: toPenstockError(error) };
  }
}

/**
 * POST /mcp. Host and origin have been checked. Checked here, in this order: token (401), scopes of the called tools
 * (403), rate limit (429), body (400). Only then does the protocol see the message. Each admitted `run_sql` counts as
 * a request, whatever becomes of it, and is counted before anything is answered. Other messages do not count.
 *
 * There are no sessions and no streams to open by GET, hence 405 for all other methods, with a token or without (MCP
 * 2026-07-28, "Earlier Streamable HTTP Revisions"; 2025-11-25, "Listening for Messages from the Server").
 */
export function mcpEndpoints(options: McpOptions): readonly Endpoint[] {
  const { clients, resource, running, wrongTokens, clock } = options;
  const { oauth } = clients;
  const goodTokens = createGoodTokens(clock);

  const admit = async (principal: Principal, messages: readonly unknown[]): Promise<void> => {
    for (let i = 0; i < Math.max(1, messages.length); i += 1) await options.limiter.admit(principal);
  };

  const meter = async ({ tenantId }: Principal, messages: readonly unknown[]): Promise<void> => {
    const statements = messages.filter((message) => calledTool(message) === 'run_sql');
    if (statements.length > 0) options.usage.ensureAble();
    for (const _ of statements) await options.usage.recordRequest(tenantId, uuidV7());
  };

  const dispatch = async (exchange: Exchange, caller: Caller, body: unknown): Promise<void> => {
    const { request, response, logger } = exchange;
    const { authorization } = request.headers;
    const cancellable: ToolCall['cancellable'] = (id, work) => running.run(callName(authorization, id), work);
    // Each request has a server of its own, since the caller's scopes decide what it offers. Nothing it offers ever
    // changes, so it acknowledges a subscription as empty and ends it at once.
    const turns = createToolTurns(BATCH_OUTPUT_BYTES_MAX);
    const { usage } = options;
    const call: ToolCall = {
      exchange,
      caller,
      clients,
      usage,
      baseUrl: options.baseUrl,
      turns,
      cancellable,
    };
    const handler = createMcpHandler(() => createServer(call), {
      maxSubscriptions: 1,
      onerror: (error) => logger.debug({ err: error }, 'mcp'),
    });
    await toNodeHandler(handler)(request, response, body);
  };

  const serve = async (exchange: Exchange): Promise<void> => {
    const { headers } = exchange.request;
    const caller = await authenticate(headers.authorization, exchange, {
      oauth,
      resource,
      wrongTokens,
      goodTokens,
    });
    const { principal } = caller;
    exchange.logger.setBindings({ tenantId: principal.tenantId, principalId: principal.principalId });
    annotate(() => ({ [ATTRIBUTES.tenantId]: principal.tenantId }));
    if (!isJsonContentType(headers['content-type'])) {
      return refuse(exchange, 415, 'The content-type of the request must be application/json');
    }
    const read = await readBody(exchange);
    const messages = 'value' in read ? messagesIn(read.value) : [];
    const tools = messages.flatMap((message) => calledTool(message) ?? []);
    const lacking = tools.find((tool) => !principal.scopes.includes(TOOL_SCOPES[tool]));
    if (lacking !== undefined) {
      const message = `${lacking} needs the scope ${TOOL_SCOPES[lacking]}`;
      const scopes = scopesFor(tools, principal.scopes);
      return challenge(exchange, resource, { code: OAuthErrorCode.InsufficientScope, message, scopes });
    }
    // Before the limiter: a caller that has sent too many requests may still cancel them.
    for (const cancelled of messages.flatMap((message) => cancelledId(message) ?? [])) {
      running.cancel(callName(headers.authorization, cancelled));
    }
    const id = 'value' in read ? requestIdIn(read.value) : null;
    try {
      await admit(principal, messages);
      if ('problem' in read) throw read.problem;
      await meter(principal, messages);
    } catch (error) {
      return refuseOther(exchange, error, id);
    }
    if ('value' in read) await dispatch(exchange, caller, read.value);
  };

  const refuseOther = (exchange: Exchange, error: unknown, id: string | number | null): void => {
    if (exchange.response.headersSent) throw error;
    const mapped = mapAndLog(exchange, error);
    if (mapped.code === 'UNAUTHORIZED') {
      const { message } = mapped;
      challenge(exchange, resource, { code: OAuthErrorCode.InvalidToken, message, scopes: MCP_SCOPES });
    } else refuseWith(exchange, mapped, id);
  };

  const handle = (exchange: Exchange): Promise<void> =>
    serve(exchange).catch((error: unknown) => refuseOther(exchange, error, null));
  const refuseMethod: Endpoint['refuseMethod'] = (exchange, message) => refuse(exchange, 405, message);
  return [{ method: 'post', path: MCP_PATH, handle, refuseMethod }];
}
