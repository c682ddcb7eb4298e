/** PostgreSQL's own names of types that SQL has other words for ("Data Types", table 8.1). */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    INT: 'int4',
    INTEGER: 'int4',
    BIGINT: 'int8',
    SMALLINT: 'int2',
    REAL: 'float4',
    FLOAT: 'float8',
    'DOUBLE PRECISION': 'float8',
    DECIMAL: 'numeric',
    DEC: 'numeric',
    BOOLEAN: 'bool',
    'CHARACTER VARYING': 'varchar',
    'CHAR VARYING': 'varchar',
    CHARACTER: 'bpchar',
    CHAR: 'bpchar',
    'TIMESTAMP WITHOUT TIME ZONE': 'timestamp',
    'TIMESTAMP WITH TIME ZONE': 'timestamptz',
    'TIME WITHOUT TIME ZONE': 'time',
    'TIME WITH TIME ZONE': 'timetz',
  }),
);

/** Digits up to which FLOAT(n) is the shorter one. */
const FLOAT4_DIGITS_MAX = 24;

/** The name of a type as the parser has it: upper-case, perhaps with a length and brackets. */
export function typeName(written: string): string {
  const [bare = ''] = written.replaceAll('[]', '').split('(', 1);
  const digits = /^FLOAT\s*\((\d+)\)/.exec(written)?.[1];
  if (digits !== undefined && Number(digits) <= FLOAT4_DIGITS_MAX) return 'float4';
  return NAMES.get(bare) ?? bare.toLowerCase();
}
