/** What a program against the SDK does when it is written by hand: the other side of the comparisons. */
import { DynamoDBClient, GetItemCommand, paginateScan, type AttributeValue } from '@aws-sdk/client-dynamodb';

export function sdkClient(endpoint: string, region: string): DynamoDBClient {
  return new DynamoDBClient({ endpoint, region, credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
}

/** What `unmarshall` of @aws-sdk/util-dynamodb does with its defaults, which is no dependency of ours. */
export function unmarshall(value: AttributeValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.M !== undefined)
    return Object.fromEntries(Object.entries(value.M).map(([name, inner]) => [name, unmarshall(inner)]));
  if (value.L !== undefined) return value.L.map(unmarshall);
  if (value.SS !== undefined) return new Set(value.SS);
  if (value.NS !== undefined) return new Set(value.NS.map(Number));
  return value.B ?? value.BS ?? null;
}

export interface Group {
  readonly status: string;
  count: number;
  amount: number;
}

/** SELECT status, COUNT(*), SUM(amount) … GROUP BY status ORDER BY status. */
export async function scanAndGroup(client: DynamoDBClient, tableName: string): Promise<readonly Group[]> {
  const groups = new Map<string, Group>();
  for await (const page of paginateScan({ client }, { TableName: tableName })) {
    for (const item of page.Items ?? []) {
      const { status, amount } = unmarshall({ M: item }) as { status: string; amount: number };
      const group = groups.get(status) ?? { status, count: 0, amount: 0 };
      group.count += 1;
      group.amount += amount;
      groups.set(status, group);
    }
  }
  return [...groups.values()].sort((a, b) => (a.status < b.status ? -1 : 1));
}

export async function getOne(client: DynamoDBClient, tableName: string, id: string): Promise<unknown> {
  const { Item } = await client.send(new GetItemCommand({ TableName: tableName, Key: { id: { S: id } } }));
  return unmarshall({ M: Item ?? {} });
}
