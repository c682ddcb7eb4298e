/**
 * /v1/queries: looks at queries while they run, stops them, has them read on; says why a whole result broke off, or what it
 * left out.
 */
import type { CallOptions } from '@connectrpc/connect';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { REQUEST_ID } from '@penstock/common/ids/request-id.ts';
import { QueryState, type GatewayClients, type QueryProgress } from '../clients/gateway-clients.ts';
import { answered, onBehalfOf } from '../clients/service-call.ts';
import { sendData } from '../http/answer.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Exchange } from '../http/exchange.ts';
import { pathParameter } from '../http/path-parameter.ts';
import type { Admission } from '../middleware/admission.ts';
import { validate } from '../validation/describe-issue.ts';
import { readJsonBody } from '../validation/json-body.ts';
import { validQueryParameters } from '../validation/query-parameters.ts';
import { wantRowsRequestSchema } from '../validation/query-request.ts';
import { noParameters } from '../validation/schema-requests.ts';
import type { BrokenResults } from './broken-results.ts';

interface RunningQueryRouteOptions {
  readonly admission: Admission;
  readonly queries: Pick<GatewayClients['queries'], 'getQuery' | 'stopQuery' | 'wantRows'>;
  readonly brokenResults: Pick<BrokenResults, 'find'>;
}

function shown(requestId: string, progress: QueryProgress | undefined): object {
  if (progress === undefined) {
    throw new PenstockError('INTERNAL', 'Internal error', {
      cause: new Error('a running query was answered without its progress'),
    });
  }
  return {
    requestId,
    state: progress.state === QueryState.QUEUED ? 'queued' : 'running',
    rows: Number(progress.rows),
    readUnits: progress.readUnits,
    elapsedMs: Number(progress.elapsedMs),
  };
}

/** Scope `query`: whoever may run queries may see and stop all of the tenant's. None of it counts as a query. */
export function runningQueryEndpoints(options: RunningQueryRouteOptions): readonly Endpoint[] {
  const { admission, queries, brokenResults } = options;
  const route = (
    method: 'get' | 'delete' | 'patch',
    ask: (requestId: string, call: CallOptions, tenantId: string, exchange: Exchange) => Promise<object>,
  ): Endpoint => ({
    method,
    path: '/v1/queries/:requestId',
    async handle(exchange) {
      const { token, principal } = await admission.admit(exchange, 'query');
      validQueryParameters(exchange, noParameters);
      const requestId = pathParameter(exchange, 'requestId');
      if (!REQUEST_ID.test(requestId)) {
        throw new PenstockError(
          'VALIDATION_ERROR',
          'requestId must have at most 128 letters, digits, dots, _ and -, as in the x-request-id header',
        );
      }
      const call = onBehalfOf(exchange, token);
      sendData(exchange.response, 200, await ask(requestId, call, principal.tenantId, exchange));
    },
  });
  return [
    route('get', async (requestId, call, tenantId) => {
      try {
        const { progress } = await answered(queries.getQuery({ requestId }, call));
        return shown(requestId, progress);
      } catch (error) {
        if (!(error instanceof PenstockError) || error.code !== 'NOT_FOUND') throw error;
        const broken = await brokenResults.find(tenantId, requestId);
        if (broken === null) throw error;
        return { requestId, state: 'warnings' in broken ? 'ended' : 'failed', ...broken };
      }
    }),
    route('delete', async (requestId, call) => {
      const { progress } = await answered(queries.stopQuery({ requestId }, call));
      return { ...shown(requestId, progress), stopped: true };
    }),
    route('patch', async (requestId, call, _tenantId, exchange) => {
      const { rowsWanted } = validate(wantRowsRequestSchema, (await readJsonBody(exchange)).value);
      const { progress } = await answered(queries.wantRows({ requestId, rowsWanted }, call));
      return shown(requestId, progress);
    }),
  ];
}
