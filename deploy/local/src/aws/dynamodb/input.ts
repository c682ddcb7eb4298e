import { AwsError, dynamoValidation } from '../errors.ts';

/** A JSON object whose members have not been looked at. */
export type Fields = Readonly<Record<string, unknown>>;

/** An AttributeValue: one type descriptor and its value. */
export type AttributeValue = Fields;

/** Reads a request's body. Throws SerializationException. */
export function parseInput(body: Buffer): Fields {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (isFields(value)) return value;
  } catch {
    // Answered below, like any body that is not an object.
  }
  throw new AwsError('SerializationException', 'Start of structure or map found where not expected.');
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member that is a string, else undefined. */
export function text(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

/** A member that is an object, else an empty one. */
export function object(fields: Fields, name: string): Fields {
  const value = fields[name];
  return isFields(value) ? value : {};
}

/** The objects of a member that is a list. */
export function objects(fields: Fields, name: string): readonly Fields[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** Refuses a table named by the ARN of another account or region, which no policy here can allow. */
function tableNameOf(name: string, accountId: string, region: string): string {
  if (!name.startsWith('arn:')) return name;
  const [, ofRegion, ofAccount, table] =
    /^arn:aws[a-z-]*:dynamodb:([a-z0-9-]+):(\d{12}):table\/([A-Za-z0-9_.-]{1,255})$/.exec(name) ?? [];
  if (table === undefined) throw dynamoValidation(`Invalid table ARN: ${name}`);
  if (ofRegion !== region || ofAccount !== accountId)
    throw new AwsError(
      'AccessDeniedException',
      `Account ${accountId} is not authorized to use ${name} from ${region}: no resource-based policy allows it`,
    );
  return table;
}

/** The request with every full table ARN replaced by the table's name; the same object where there is none. */
export function withTableNames(input: Fields, accountId: string, region: string): Fields {
  const rename = (name: string) => tableNameOf(name, accountId, region);
  let output = input;
  const table = text(input, 'TableName');
  if (table?.startsWith('arn:')) output = { ...output, TableName: rename(table) };
  const requested = object(input, 'RequestItems');
  if (Object.keys(requested).some((name) => name.startsWith('arn:')))
    output = {
      ...output,
      RequestItems: Object.fromEntries(Object.entries(requested).map(([name, of]) => [rename(name), of])),
    };
  if (objects(input, 'TransactItems').some((item) => transactTable(item)?.startsWith('arn:')))
    output = {
      ...output,
      TransactItems: objects(input, 'TransactItems').map((item) =>
        Object.fromEntries(
          Object.entries(item).map(([kind, of]) => [
            kind,
            isFields(of) ? { ...of, TableName: rename(text(of, 'TableName') ?? '') } : of,
          ]),
        ),
      ),
    };
  return output;
}

function transactTable(item: Fields): string | undefined {
  const [action] = Object.values(item);
  return isFields(action) ? text(action, 'TableName') : undefined;
}
