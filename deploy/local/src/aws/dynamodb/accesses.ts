import { isFields, object, objects, text, type Fields } from './input.ts';

/** One thing a request does to one resource, as IAM sees it. */
interface Access {
  /** For example `dynamodb:Query`. */
  readonly action: string;
  /** ARN of a table or an index. */
  readonly resource: string;
}

/** Where a request's tables are. */
export interface Place {
  readonly accountId: string;
  readonly region: string;
}

const TRANSACT_ACTIONS: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** ARN of a table. */
export function tableArn({ accountId, region }: Place, table: string): string {
  return `arn:aws:dynamodb:${region}:${accountId}:table/${table}`;
}

/**
 * Every access that must be allowed for a request (Service Authorization Reference, "Actions, resources, and
 * condition keys for DynamoDB"). Batches and transactions need theirs on every table; Query and Scan of an
 * index need theirs on the index, not the table.
 */
export function accessesOf(operation: string, input: Fields, place: Place): readonly Access[] {
  const on = (action: string, resource: string): Access => ({
    action: `dynamodb:${action}`,
    resource: tableArn(place, resource),
  });
  switch (operation) {
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return Object.keys(object(input, 'RequestItems')).map((table) => on(operation, table));
    case 'TransactGetItems':
    case 'TransactWriteItems':
      return objects(input, 'TransactItems').flatMap((item) =>
        Object.entries(item).map(([kind, of]) =>
          on(TRANSACT_ACTIONS[kind] ?? operation, (isFields(of) && text(of, 'TableName')) || '*'),
        ),
      );
    case 'ExecuteStatement':
      return [partiQlAccess(text(input, 'Statement') ?? '', on)];
    case 'BatchExecuteStatement':
      return objects(input, 'Statements').map((one) => partiQlAccess(text(one, 'Statement') ?? '', on));
    case 'ExecuteTransaction':
      return objects(input, 'TransactStatements').map((one) =>
        partiQlAccess(text(one, 'Statement') ?? '', on),
      );
    case 'TagResource':
    case 'UntagResource':
    case 'ListTagsOfResource':
      return [{ action: `dynamodb:${operation}`, resource: text(input, 'ResourceArn') ?? '*' }];
    default: {
      const table = text(input, 'TableName') ?? '*';
      const index = text(input, 'IndexName');
      return [on(operation, index === undefined ? table : `${table}/index/${index}`)];
    }
  }
}

function partiQlAccess(statement: string, on: (action: string, resource: string) => Access): Access {
  const verb = /^\s*(select|insert|update|delete)\b/i.exec(statement)?.[1]?.toLowerCase() ?? 'select';
  const table = /\b(?:from|into|update)\s+"?([A-Za-z0-9_.-]+)"?/i.exec(statement)?.[1] ?? '*';
  return on(`PartiQL${verb.charAt(0).toUpperCase()}${verb.slice(1)}`, table);
}
