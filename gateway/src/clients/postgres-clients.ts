/** What the PostgreSQL endpoint asks services beyond what the gateway asks. */
import type { Client } from '@connectrpc/connect';
import { ScramService } from '@penstock/common/gen/penstock/auth/v1/scram_pb.js';
import {
  DescribeService,
  WideType,
  type DescribeResponse,
} from '@penstock/common/gen/penstock/query/v1/describe_pb.js';
import { SqlRules } from '@penstock/common/gen/penstock/query/v1/rules_pb.js';
import { callOptions, createRpcClient, type OutgoingCall } from '@penstock/common/rpc/client.ts';
import { RPC_TIMEOUT_MS } from '../limits.ts';
import type { ServiceName } from './gateway-clients.ts';
import { onceMore } from './lost-call.ts';

export interface PostgresClients {
  readonly scram: Client<typeof ScramService>;
  readonly descriptions: Client<typeof DescribeService>;
}

export function connectPostgresClients(targets: { readonly auth: string; readonly engine: string }): {
  readonly clients: PostgresClients;
  /** Resolves when both can be reached, or the time is over. */
  readonly connected: (timeoutMs: number) => Promise<boolean>;
  /** Names of those of the two services that cannot be reached now. */
  readonly away: () => readonly ServiceName[];
  readonly close: () => void;
} {
  const scram = createRpcClient(ScramService, { target: targets.auth, defaultTimeoutMs: RPC_TIMEOUT_MS });
  const descriptions = createRpcClient(DescribeService, {
    target: targets.engine,
    defaultTimeoutMs: RPC_TIMEOUT_MS,
  });
  const all = [scram, descriptions];
  return {
    clients: Object.freeze({ scram: scram.client, descriptions: descriptions.client }),
    connected: async (timeoutMs) =>
      (await Promise.all(all.map((client) => client.connected(timeoutMs)))).every(Boolean),
    away: () => [
      ...(scram.isAway() ? (['auth'] as const) : []),
      ...(descriptions.isAway() ? (['query-engine'] as const) : []),
    ],
    close: () => all.forEach(({ close }) => close()),
  };
}

/** Types by PostgreSQL's names. */
const TYPE_NAMES = Object.freeze({
  [WideType.UNSPECIFIED]: 'text',
  [WideType.TEXT]: 'text',
  [WideType.NUMERIC]: 'numeric',
  [WideType.BOOLEAN]: 'bool',
  [WideType.BINARY]: 'bytea',
  [WideType.JSON]: 'jsonb',
  [WideType.INT2]: 'int2',
  [WideType.INT4]: 'int4',
  [WideType.INT8]: 'int8',
  [WideType.FLOAT4]: 'float4',
  [WideType.FLOAT8]: 'float8',
  [WideType.DATE]: 'date',
  [WideType.TIME]: 'time',
  [WideType.TIMESTAMP]: 'timestamp',
  [WideType.TIMESTAMPTZ]: 'timestamptz',
  [WideType.INTERVAL]: 'interval',
} as const satisfies Record<WideType, string>);

export type DescribedType = (typeof TYPE_NAMES)[WideType];

const WIDE_TYPES = new Map<string, WideType>([
  ...(Object.entries(TYPE_NAMES) as unknown as [WideType, string][]).map(
    ([wide, name]) => [name, Number(wide) as WideType] as const,
  ),
  ['json', WideType.JSON],
]);

/** A parameter of a statement; null: its type is to be inferred. */
export interface DescribedParameter {
  readonly type: string | null;
  readonly isList: boolean;
}

export interface DescribedColumn {
  readonly name: string;
  readonly type: DescribedType;
  /** The attribute that it is; empty where it is computed. */
  readonly attribute: string;
  readonly isKey: boolean;
}

export interface Description {
  readonly columns: readonly DescribedColumn[];
  readonly parameters: readonly { readonly type: DescribedType; readonly isList: boolean }[];
}

function descriptionOf({ columns, parameters }: DescribeResponse): Description {
  return {
    columns: columns.map(({ name, type, attribute, isKey }) => ({
      ...{ name, attribute, isKey },
      type: TYPE_NAMES[type],
    })),
    parameters: parameters.map(({ type, isList }) => ({ type: TYPE_NAMES[type], isList })),
  };
}

/** Types without a wide one of their own are text to the engine. Rejects with ConnectError. */
export async function describeStatement(
  client: PostgresClients['descriptions'],
  asked: {
    readonly sql: string;
    readonly parameters: readonly DescribedParameter[];
    readonly searchPath: readonly string[];
    readonly database: string;
    readonly timeoutMs: number;
  },
  call: OutgoingCall & { readonly signal: AbortSignal },
): Promise<Description> {
  const parameters = asked.parameters.map(({ type, isList }) => ({
    type: type === null ? WideType.UNSPECIFIED : (WIDE_TYPES.get(type) ?? WideType.TEXT),
    isList,
  }));
  const rules = SqlRules.POSTGRESQL;
  const request = { ...asked, searchPath: [...asked.searchPath], parameters, rules };
  return descriptionOf(
    await onceMore(call.signal, () =>
      client.describe(request, callOptions({ ...call, timeoutMs: asked.timeoutMs })),
    ),
  );
}
