import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { AttributeValueJson, KeyValue } from '../table-read.ts';

/** DynamoDB's JSON of a scalar as the SDK wants it: binary as bytes. */
export function sdkValue(json: AttributeValueJson): AttributeValue {
  return 'B' in json ? { B: Buffer.from(json.B, 'base64') } : { ...json };
}

export function sdkValues(
  values: Readonly<Record<string, AttributeValueJson>>,
): Record<string, AttributeValue> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, sdkValue(value)]));
}

/** A key value in DynamoDB's JSON. */
export function keyJson({ type, value }: KeyValue): AttributeValueJson {
  switch (type) {
    case 'S':
      return { S: value };
    case 'N':
      return { N: value };
    case 'B':
      return { B: value };
  }
}

/** A key that an answer held (LastEvaluatedKey, UnprocessedKeys), to be sent back. Only S, N and B can be in a key. */
export function sdkKey(json: Readonly<Record<string, unknown>>): Record<string, AttributeValue> {
  return sdkValues(json as Readonly<Record<string, AttributeValueJson>>);
}
