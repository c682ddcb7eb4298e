/** Every tool by its input schema, every prompt by its arguments, and the messages around them. */
import type { Random } from '../../chaos/random.ts';
import { nastyText, nastyValue } from '../support/nasty.ts';
import { send } from '../support/send.ts';
import { fieldsOf, spoiledValue, withValue, type Field, type JsonSchema } from '../support/shapes.ts';
import { bodyBytes } from './bodies.ts';
import { spoiledHeaders } from './headers.ts';
import type { Target } from './target.ts';

interface Listed {
  readonly result: {
    readonly tools?: readonly { readonly name: string; readonly inputSchema: JsonSchema }[];
    readonly prompts?: readonly {
      readonly name: string;
      readonly arguments?: readonly { readonly name: string }[];
    }[];
  };
}

const GOOD: Readonly<Record<string, unknown>> = {
  run_sql: { sql: "SELECT name FROM shop.customers WHERE id = 'c1'" },
  describe_table: { schemaName: 'shop', tableName: 'customers' },
};

const METHODS = [
  ...['initialize', 'ping', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'],
  ...['resources/read', 'resources/subscribe', 'completion/complete', 'logging/setLevel', 'server/discover'],
  ...['notifications/cancelled', 'notifications/initialized', 'subscriptions/listen', 'tasks/get'],
];

const messageFields: readonly Field[] = [
  ['jsonrpc'],
  ['id'],
  ['method'],
  ['params'],
  ['params', 'name'],
  ['params', 'arguments'],
  ['params', 'uri'],
  ['params', 'cursor'],
  ['params', 'requestId'],
  ['params', 'protocolVersion'],
  ['params', '_meta'],
  ['params', '_meta', 'progressToken'],
  ['params', '_meta', 'io.modelcontextprotocol/protocolVersion'],
].map((path) => ({ path, bounds: [] }));

export async function mcpTargets(base: URL, token: string): Promise<readonly Target[]> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const list = async (method: string): Promise<Listed['result']> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} });
    const { text } = await send(base, { method: 'POST', path: '/mcp', headers, body });
    return (JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? text) as Listed).result;
  };
  const { tools = [] } = await list('tools/list');
  const { prompts = [] } = await list('prompts/list');
  if (tools.length === 0 || prompts.length === 0) throw new Error('the server lists no tools or no prompts');

  const target = (name: string, message: (random: Random) => unknown): Target => ({
    name,
    next: (random) => ({
      method: 'POST',
      path: '/mcp',
      headers: spoiledHeaders(random, headers),
      body: bodyBytes(random, message(random)),
    }),
  });
  const call = (method: string, params: unknown): unknown => ({ jsonrpc: '2.0', id: 1, method, params });
  return [
    ...tools.map(({ name, inputSchema }) => {
      const fields = fieldsOf(inputSchema);
      return target(`tool ${name}`, (random) =>
        call('tools/call', { name, arguments: spoiledValue(random, GOOD[name] ?? {}, fields) }),
      );
    }),
    ...prompts.map(({ name, arguments: given = [] }) =>
      target(`prompt ${name}`, (random) => {
        const values = given.map((argument) => [argument.name, nastyText(random)]);
        return call('prompts/get', { name, arguments: Object.fromEntries(values) as unknown });
      }),
    ),
    target('messages', (random) => {
      const message = call(random.pick(METHODS), { name: 'run_sql', arguments: GOOD['run_sql'] });
      const one = spoiledValue(random, message, messageFields);
      return random.below(6) === 0 ? [one, withValue(message, ['id'], nastyValue(random)), one] : one;
    }),
  ];
}
