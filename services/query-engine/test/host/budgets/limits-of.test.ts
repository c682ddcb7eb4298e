import { expect } from 'chai';
import { limitsOf, type Budget } from '../../../src/host/budgets/limits-of.ts';

const tenant: Budget = { tenantId: 't', clientId: null, unitsPerDay: 10, unitsPerMonth: 100.5 };
const client: Budget = { tenantId: 't', clientId: 'c', unitsPerDay: null, unitsPerMonth: 0 };

describe('budgets as limits of a moment', () => {
  it('are by day and by month, UTC, and begin anew with the next', () => {
    const limits = limitsOf([tenant, client], Date.UTC(2026, 11, 31, 23, 59, 59));
    expect(
      limits.map(({ whose, period, halfUnits, resetsAt }) => [whose, period, halfUnits, resetsAt]),
    ).to.deep.equal([
      ['tenant', 'day', 20, '2027-01-01T00:00:00.000Z'],
      ['tenant', 'month', 201, '2027-01-01T00:00:00.000Z'],
      ['client', 'month', 0, '2027-01-01T00:00:00.000Z'],
    ]);
    const later = limitsOf([tenant, client], Date.UTC(2027, 0, 1));
    const keys = [...limits, ...later].map(({ key }) => key);
    expect(new Set(keys).size).to.equal(6);
  });
});
