import { AssertionError } from 'chai';
import { SqlSyntaxError } from '../../src/parser/errors.ts';
import { parse } from '../../src/parser/parse.ts';

/** The error with which the parser refuses a statement; fails if it accepts it or fails otherwise. */
export function refusalOf(sql: string): SqlSyntaxError {
  try {
    parse(sql);
  } catch (error) {
    if (error instanceof SqlSyntaxError) return error;
    throw error;
  }
  throw new AssertionError(`accepted: ${sql.slice(0, 200)}`);
}
