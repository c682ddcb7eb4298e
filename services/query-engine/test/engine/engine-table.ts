import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { CatalogTable } from '../../src/catalog/table.ts';

/** An item as DynamoDB has it. */
export type TestItem = Readonly<Record<string, AttributeValue>>;

/** A table for a test's engine: what the registry says of it, and what is in it. */
export interface EngineTable {
  readonly catalog: CatalogTable;
  readonly items: readonly TestItem[];
}
