/** Who may what. A session reads its tenant's tables and PostgreSQL's public relations, and may do nothing else. */
import { TYPE } from '../system/types.ts';
import { quoteText } from '../binder/bound.ts';
import { coerce } from '../binder/coerce.ts';
import { bindError, unsupported } from '../binder/errors.ts';
import { OWNER, OWNER_OID } from '../tables/roles.ts';
import { argument, lookUp, type Call, type Implementation, type Implementations } from './call.ts';

const LETTERS: Readonly<Record<string, string>> = {
  SELECT: 'r', INSERT: 'a', UPDATE: 'w', DELETE: 'd', TRUNCATE: 'D', REFERENCES: 'x', TRIGGER: 't', USAGE: 'U', CREATE: 'C', CONNECT: 'c', TEMP: 'T', TEMPORARY: 'T', EXECUTE: 'X', MEMBER: 'm', SET: 's', 'ALTER SYSTEM': 'A',
}; // prettier-ignore

/** Letters of a list of privileges, of which one suffices. Nobody but the owner may pass one on. */
function lettersOf(call: Call): string {
  const text = call.given.at(-1)?.literal;
  if (typeof text !== 'string') throw unsupported('a computed privilege', call.at);
  return text
    .split(',')
    .map((part) => {
      const name = part.trim().toUpperCase().replace(/\s+/g, ' ');
      const letter = LETTERS[name.replace(/ WITH (?:GRANT|ADMIN) OPTION$/, '')];
      if (letter === undefined)
        throw bindError('22023', `unrecognized privilege type: "${part.trim()}"`, call.at);
      return / OPTION$/.test(name) ? '' : letter;
    })
    .join('');
}

/** Where a role is named first: the owner may everything, and others what the session's user may. */
function asked(call: Call, objectAt: number, rule: string): string {
  if (objectAt === 0) return rule;
  const role = call.args[0];
  const sql = argument(call, 0);
  const isOwner = role?.type === TYPE.oid ? `${sql} = ${OWNER_OID}` : `${sql} = ${quoteText(OWNER)}`;
  return `(${isOwner} OR ${rule})`;
}

/** OID of the object that a call names, by name or by OID. */
function objectOid(call: Call, index: number, type: number): string {
  const arg = call.args[index];
  const given = call.given[index];
  if (arg === undefined) return 'NULL';
  if (arg.type === TYPE.oid) return argument(call, index);
  const named = typeof given?.literal === 'string' ? { ...given, type: TYPE.unknown } : arg;
  return coerce(call.context, named, type, 'explicit').sql;
}

const onRelation =
  (extra: number): Implementation =>
  (call) => {
    const objectAt = call.args.length - 2 - extra;
    const letters = lettersOf(call);
    const oid = objectOid(call, objectAt, TYPE.regclass);
    const granted = lookUp(call, 'relation_acls', 'everybody', oid);
    const rule = letters === '' ? 'false' : `regexp_matches(${granted}, '[${letters}]')`;
    return asked(call, objectAt, rule);
  };

/** What holds for each object of a kind alike: letters that everybody has. */
const onAny =
  (everybody: string): Implementation =>
  (call) => {
    const may = [...lettersOf(call)].some((letter) => everybody.includes(letter));
    const object = argument(call, call.args.length - 2);
    return asked(call, call.args.length - 2, `CASE WHEN ${object} IS NOT NULL THEN ${may} END`);
  };

/** pg_toast is nobody's. */
const onSchema: Implementation = (call) => {
  const objectAt = call.args.length - 2;
  const may = lettersOf(call).includes('U');
  const oid = objectOid(call, objectAt, TYPE.regnamespace);
  return asked(call, objectAt, may ? `${oid} <> 99` : 'false');
};

/** The session's user is a member of itself alone. */
const hasRole: Implementation = (call) => {
  const roleAt = call.args.length - 2;
  const role = call.args[roleAt];
  const { names, session } = call.context;
  const sql = argument(call, roleAt);
  const self =
    role?.type === TYPE.oid
      ? `${sql} = ${names.roles.get(session.user) ?? 0}`
      : `${sql} = ${quoteText(session.user)}`;
  return asked(call, roleAt, self);
};

export const PRIVILEGE_FUNCTIONS: Implementations = {
  has_table_privilege: onRelation(0),
  has_any_column_privilege: onRelation(0),
  has_column_privilege: onRelation(1),
  has_sequence_privilege: onRelation(0),
  has_schema_privilege: onSchema,
  has_database_privilege: onAny('c'),
  has_function_privilege: onAny('X'),
  has_language_privilege: onAny('U'),
  has_type_privilege: onAny('U'),
  has_tablespace_privilege: onAny(''),
  has_foreign_data_wrapper_privilege: onAny(''),
  has_server_privilege: onAny(''),
  has_parameter_privilege: onAny(''),
  pg_has_role: hasRole,
  row_security_active: 'false',
};
