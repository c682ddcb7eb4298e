/**
 * What an operator does with budgets of read units: `budget <verb>`. An administrator of a tenant may set budgets too, and
 * neither changes the other's: the smaller counts.
 */
import { given, plain, UsageError, type Command, type Flags } from './commands.ts';

/** Read units, in halves. */
function units(flags: Flags, name: string): number | undefined {
  const text = flags[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,12}(\.[05])?$/.test(text))
    throw new UsageError(
      `--${name} must be read units of at least 0, in halves such as 1000 or 12.5, not '${text}'`,
    );
  return Number(text);
}

function whose(flags: Flags): { tenantId: string; clientId?: string } {
  const clientId = flags['client'];
  return { tenantId: given(flags, 'tenant'), ...(clientId === undefined ? {} : { clientId }) };
}

export const budgetCommands: Readonly<Record<string, Command>> = {
  set: {
    asks: 'auth',
    flags: { tenant: 'required', client: 'optional', day: 'optional', month: 'optional' },
    synopsis: '--tenant T [--client C] [--day UNITS] [--month UNITS]   (UTC; left out: no limit)',
    async run(admin, flags, call) {
      const [day, month] = [units(flags, 'day'), units(flags, 'month')];
      if (day === undefined && month === undefined) throw new UsageError('Give --day, --month or both');
      const request = {
        ...whose(flags),
        ...(day === undefined ? {} : { unitsPerDay: day }),
        ...(month === undefined ? {} : { unitsPerMonth: month }),
      };
      return plain(await admin.setBudget(request, call));
    },
  },
  show: {
    asks: 'auth',
    flags: { tenant: 'required' },
    synopsis: '--tenant T',
    async run(admin, flags, call) {
      const request = { tenantId: given(flags, 'tenant') };
      const { budgets, setByTenant } = await admin.listBudgets(request, call);
      return { budgets: budgets.map(plain), setByTenant: setByTenant.map(plain) };
    },
  },
  remove: {
    asks: 'auth',
    flags: { tenant: 'required', client: 'optional' },
    synopsis: '--tenant T [--client C]',
    async run(admin, flags, call) {
      await admin.removeBudget(whose(flags), call);
      return { ...whose(flags), removed: true };
    },
  },
};
