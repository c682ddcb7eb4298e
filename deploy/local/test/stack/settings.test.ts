import { expect } from 'chai';
import { readStackSettings } from '../../src/stack/settings.ts';

describe('the settings of the embedded stack', () => {
  it('have the documented defaults', () => {
    const settings = readStackSettings({});
    expect(settings).to.include({ port: 8080, awsPort: 4566, redisPort: 6390, queryEngines: 1 });
    expect(settings).to.include({ rateLimitRps: 50, rateLimitBurst: 100 });
    expect(settings.dataDir).to.match(/\/\.penstock$/);
  });

  it('name the variable whose value is wrong', () => {
    for (const [name, value] of [
      ['PENSTOCK_PORT', 'http'],
      ['PENSTOCK_PORT', '65536'],
      ['PENSTOCK_QUERY_ENGINES', '0'],
      ['PENSTOCK_REDIS_PORT', '-1'],
      ['PENSTOCK_RATE_LIMIT_RPS', '1.5'],
    ] as const) {
      expect(() => readStackSettings({ [name]: value })).to.throw(`${name} must be a whole number`);
    }
  });
});
