import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Position } from '../parser/ast.ts';

/** What `write` gives; a type error of it says where the innermost expression stands that it is about. */
export function placed<T>(pos: Position | undefined, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (pos === undefined || !(error instanceof PenstockError)) throw error;
    if (error.code !== 'TYPE_ERROR' || error.detail !== undefined) throw error;
    const what = error.message.replace(/^Type error: /, '');
    throw new PenstockError('TYPE_ERROR', error.message, {
      detail: `at line ${pos.line}, column ${pos.column}: ${what}`,
    });
  }
}
