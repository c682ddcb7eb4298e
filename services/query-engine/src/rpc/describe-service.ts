/** The DescribeService: says what rows will look like; it reads nothing that is metered. */
import type { ServiceImpl } from '@connectrpc/connect';
import {
  WideType as Wire,
  type DescribeService,
} from '@penstock/common/gen/penstock/query/v1/describe_pb.js';
import { principalOf, requestIdOf, tokenOf } from '@penstock/common/rpc/call-context.ts';
import { requireScope } from '@penstock/common/token/require-scope.ts';
import type { WideType } from '../catalog/description.ts';
import type { QueryRunner } from '../host/queries/query-runner.ts';
import { querySignal, whyEnded } from './query-signal.ts';
import { rulesOf } from './rules.ts';

const WIRE: Readonly<Record<WideType, Wire>> = Object.freeze({
  text: Wire.TEXT,
  numeric: Wire.NUMERIC,
  boolean: Wire.BOOLEAN,
  binary: Wire.BINARY,
  json: Wire.JSON,
  int2: Wire.INT2,
  int4: Wire.INT4,
  int8: Wire.INT8,
  float4: Wire.FLOAT4,
  float8: Wire.FLOAT8,
  date: Wire.DATE,
  time: Wire.TIME,
  timestamp: Wire.TIMESTAMP,
  timestamptz: Wire.TIMESTAMPTZ,
  interval: Wire.INTERVAL,
});

const BY_WIRE: ReadonlyMap<Wire, WideType> = new Map(
  (Object.entries(WIRE) as [WideType, Wire][]).map(([type, wire]) => [wire, type]),
);

export function describeService(runner: Pick<QueryRunner, 'describe'>): ServiceImpl<typeof DescribeService> {
  return {
    async describe({ sql, parameters, timeoutMs, searchPath, rules, database }, context) {
      const principal = principalOf(context);
      requireScope(principal, 'query');
      const { signal, done } = querySignal(context.signal, timeoutMs);
      const { tenantId } = principal;
      const call = { tenantId, token: tokenOf(context), requestId: requestIdOf(context), signal };
      try {
        const asked = parameters.map(({ type, isList }) => ({ type: BY_WIRE.get(type) ?? null, isList }));
        const request = { sql, parameters: asked, searchPath, rules: rulesOf({ rules, database }) };
        const described = await runner.describe(request, call);
        return {
          columns: described.columns.map(({ type, ...column }) => ({ ...column, type: WIRE[type] })),
          parameters: described.parameters.map(({ type, isList }) => ({ type: WIRE[type], isList })),
        };
      } catch (error) {
        throw whyEnded(signal, error);
      } finally {
        done();
      }
    },
  };
}
