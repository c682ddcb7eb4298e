/** Tables between a worker and its host: the registry's messages as they are, with when they were checked. */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import {
  CatalogTableSchema,
  type CatalogTable as TableMessage,
} from '@penstock/common/gen/penstock/schema/v1/catalog_pb.js';
import type { CatalogTable } from '../catalog/table.ts';
import { fromErrorMessage, toErrorMessage } from '../pipe/error-message.ts';
import type { TableAnswer } from '../pipe/messages.ts';
import type { Resolution, Versioned } from './catalog-client.ts';
import { toCatalogTable } from './catalog-table.ts';
import type { Checked } from './checked-tables.ts';

/** What a host keeps of a table: it hands it on, and knows whose role reads it. */
export interface HostTable extends Versioned {
  readonly schemaName: string;
  readonly access: CatalogTable['access'];
  readonly bytes: Uint8Array;
}

export function toHostTable(message: TableMessage): HostTable {
  const { roleArn = '', externalId = '', region = '', tableAllowlist = [] } = message.access ?? {};
  return Object.freeze({
    version: message.version,
    schemaName: message.access?.schemaName ?? '',
    access: Object.freeze({ roleArn, externalId, region, tableAllowlist }),
    bytes: toBinary(CatalogTableSchema, message),
  });
}

export interface TableAnswers {
  readonly answers: readonly TableAnswer[];
  readonly bytes: Uint8Array;
}

/** `knownVersions`: what the worker has of each. */
export function tableAnswers(
  checked: readonly (Checked<HostTable> | PenstockError)[],
  knownVersions: readonly (string | null)[],
): TableAnswers {
  const bytes: Uint8Array[] = [];
  const answers = checked.map((one, i): TableAnswer => {
    if (one instanceof PenstockError) return { kind: 'error', error: toErrorMessage(one) };
    const { table, checkedAt } = one;
    if (table.version === knownVersions[i]) return { kind: 'unchanged', checkedAt };
    bytes.push(table.bytes);
    return { kind: 'table', checkedAt, bytes: table.bytes.length };
  });
  return { answers, bytes: bytes.length === 1 ? bytes[0]! : Buffer.concat(bytes) };
}

/** What `tableAnswers` wrote. */
export function resolutionsOf(
  answers: readonly TableAnswer[],
  bytes: Uint8Array,
): readonly Resolution<CatalogTable>[] {
  let at = 0;
  return answers.map((answer): Resolution<CatalogTable> => {
    if (answer.kind === 'error') return { kind: 'error', error: fromErrorMessage(answer.error) };
    if (answer.kind === 'unchanged') return answer;
    const message = fromBinary(CatalogTableSchema, bytes.subarray(at, (at += answer.bytes)));
    return { kind: 'table', table: toCatalogTable(message), checkedAt: answer.checkedAt };
  });
}
