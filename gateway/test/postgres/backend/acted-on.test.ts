/** What of a session's settings the endpoint acts on. */
import { expect } from 'chai';
import { actedOn, UNSET } from '../../../src/postgres/backend/acted-on.ts';
import { plainlyTold, settingsOf } from '../../../src/postgres/backend/start-parameters.ts';
import { numericModifier } from '../../../src/postgres/types/numeric-modifier.ts';
import { PgError } from '../../../src/postgres/errors/pg-error.ts';

const row = (changed: Readonly<Record<number, string>> = {}): readonly string[] =>
  ['"$user", public', '0', '0', '0', 'notice', '-1', 'warning', ''].map((value, i) => changed[i] ?? value);

describe("settings of a PostgreSQL client's session", () => {
  const codeOf = (changed: Readonly<Record<number, string>>): string => {
    try {
      actedOn(row(changed));
    } catch (error) {
      return error instanceof PgError ? error.fields.code : '';
    }
    return 'taken';
  };

  it('are what nothing says where nothing was set', () => {
    expect(actedOn(row())).to.deep.equal(UNSET);
    expect(UNSET).to.deep.include({
      searchPath: [],
      statementTimeoutMs: null,
      maxReadUnits: null,
      idleMs: null,
    });
    expect(UNSET.shows).to.deep.equal({ log: false, warning: true });
  });

  it('are read as their server shows them', () => {
    expect(actedOn(row({ 0: '"$user", Shop, "My, Schema", pg_catalog' })).searchPath).to.deep.equal([
      ...['shop', 'My, Schema'],
    ]);
    expect(actedOn(row({ 1: '2000' })).statementTimeoutMs).to.equal(2_000);
    expect(actedOn(row({ 2: '300', 3: '200' })).idleMs).to.equal(200);
    expect(actedOn(row({ 4: 'log' })).shows).to.deep.equal({ log: true, warning: true });
    expect(actedOn(row({ 4: 'error' })).shows).to.deep.equal({ log: false, warning: false });
    expect(actedOn(row({ 7: '38,9' })).numericModifier).to.equal(numericModifier(38, 9));
    expect(actedOn(row({ 5: '2.5', 6: 'error' }))).to.include({ maxReadUnits: 2.5, refusesLate: true });
  });

  it('of ours that are no values are refused where they would count', () => {
    expect([{ 5: 'many' }, { 5: '-2' }, { 6: 'maybe' }, { 5: '0' }].map(codeOf)).to.deep.equal([
      ...['22023', '22023', '22023', 'taken'],
    ]);
    const digits = ['38', '39,9', '9,10', '0,0', '-1,0', '38,9', ' 10 , 0 ', ''];
    expect(digits.map((value) => codeOf({ 7: value }))).to.deep.equal([
      ...['22023', '22023', '22023', '22023', '22023', 'taken', 'taken', 'taken'],
    ]);
  });

  it('of a start are told without a server where they are plain, and only then', () => {
    const defaults = new Map([['client_encoding', 'UTF8'], ['TimeZone', 'UTC']]); // oxfmt-ignore
    const told = (startup: Readonly<Record<string, string>>) =>
      plainlyTold(settingsOf(new Map(Object.entries({ user: 'u', database: 'd', ...startup }))), defaults);
    expect(told({})).to.deep.equal(defaults);
    expect(told({ application_name: 'psql', client_encoding: 'utf-8' })).to.deep.equal(
      new Map([...defaults, ['application_name', 'psql']]),
    );
    for (const [name, value] of [
      ...[
        ['client_encoding', 'LATIN1'],
        ['application_name', 'é'],
        ['options', '-c a.b=1'],
        ['TimeZone', 'UTC'],
      ],
    ] as const)
      expect(told({ [name]: value }), name).to.equal(null);
  });
});
