import { createHash } from 'node:crypto';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { parseForeignJson } from '@penstock/common/json/foreign-json.ts';
import { z } from 'zod';
import { isSchemaName, isTableName } from './validate-fields.ts';

/** Lists that page; a cursor of one is not accepted by another. */
export type CursorKind = 'schemas' | 'tables';

const CHECK_CHARACTERS = 16;

const schema = z.string().refine(isSchemaName);
const table = z.string().refine(isTableName);
/** What a cursor holds. Whoever knows the tenant's ID can forge the check value, so the content is checked as well. */
const SHAPES: Readonly<Record<CursorKind, z.ZodType<readonly string[]>>> = Object.freeze({
  schemas: z.tuple([schema]),
  tables: z.tuple([schema, table]),
});

/**
 * A cursor over a tenant's own names. It is bound to tenant and list by a check value, so that one that was made up or
 * belongs to another tenant is refused. It holds nothing but names of the tenant's own partition: there is nothing
 * to gain by forging one, so the check value needs no key.
 */
export function encodeCursor(kind: CursorKind, tenantId: string, position: readonly string[]): string {
  const text = JSON.stringify(position);
  return Buffer.from(checkOf(kind, tenantId, text) + text).toString('base64url');
}

/**
 * The position that a cursor was made from.
 * @throws PenstockError VALIDATION_ERROR for a cursor that was not made by `encodeCursor` for this tenant and list.
 */
export function decodeCursor(kind: CursorKind, tenantId: string, cursor: string): readonly string[] {
  const decoded = Buffer.from(cursor, 'base64url');
  const text = decoded.toString();
  const position = text.slice(CHECK_CHARACTERS);
  const intact =
    decoded.toString('base64url') === cursor &&
    text.slice(0, CHECK_CHARACTERS) === checkOf(kind, tenantId, position);
  const names = intact ? SHAPES[kind].safeParse(parsed(position)).data : undefined;
  if (names !== undefined) return names;
  throw new PenstockError(
    'VALIDATION_ERROR',
    'nextToken is not valid: use the nextToken of the previous response',
  );
}

function parsed(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch {
    return undefined;
  }
}

function checkOf(kind: CursorKind, tenantId: string, text: string): string {
  const hash = createHash('sha256').update(JSON.stringify([kind, tenantId, text]));
  return hash.digest('base64url').slice(0, CHECK_CHARACTERS);
}
