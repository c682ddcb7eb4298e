import { expect } from 'chai';
import { z } from 'zod';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import { processSettings, settings } from '../../src/config/settings.ts';

const schema = z.object({ ...processSettings, PENSTOCK_AWS_ENDPOINT: settings.PENSTOCK_AWS_ENDPOINT });

function problem(shape: z.ZodObject, env: Record<string, string>): string {
  try {
    readConfig(shape, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'none';
}

describe('readConfig', () => {
  it('fills in defaults, freezes, and takes nothing that was not asked for', () => {
    const config = readConfig(schema, { PENSTOCK_HEALTH_PORT: '9100', PENSTOCK_LOG_LEVEL: '', OTHER: 'x' });
    expect(config).to.deep.equal({
      PENSTOCK_LOG_LEVEL: 'info',
      PENSTOCK_HOST: '127.0.0.1',
      PENSTOCK_HEALTH_PORT: 9100,
      PENSTOCK_DRAIN_TIMEOUT_MS: 10_000,
    });
    expect(Object.isFrozen(config)).to.equal(true);
  });

  it('names a variable that is missing', () => {
    expect(problem(schema, {})).to.equal('PENSTOCK_HEALTH_PORT must be set');
  });

  const wrong: Record<string, [value: string, reason: RegExp]> = {
    PENSTOCK_HEALTH_PORT: ['99999', /at most 65535/],
    PENSTOCK_DRAIN_TIMEOUT_MS: ['soon', /whole number/],
    PENSTOCK_CREATE_TABLES: ['yes', /true or false/],
    PENSTOCK_REDIS_URL: ['http://x', /redis:/],
    PENSTOCK_AUTH_TARGET: ['localhost:1', /dns:\/\/\//],
    PENSTOCK_DATA_DIR: ['data', /absolute path/],
    PENSTOCK_KEY_ENCRYPTION_KEY: ['c2hvcnQ=', /32 bytes/],
    PENSTOCK_OPERATOR_TOKEN: ['short', /16 characters/],
    PENSTOCK_RATE_LIMIT_RPS: ['0', /at least 1/],
    PENSTOCK_TABLE_PREFIX: ['a b', /characters/],
    PENSTOCK_LOG_LEVEL: ['loud', /info/],
  };
  for (const [name, [value, reason]] of Object.entries(wrong)) {
    it(`names ${name} when it is wrong, and why, without its value`, () => {
      const field = settings[name as keyof typeof settings];
      const message = problem(z.object({ [name]: field }), { [name]: value });
      expect(message)
        .to.match(new RegExp(`^${name}: `))
        .and.to.match(reason);
      if (name.includes('KEY') || name.includes('TOKEN')) expect(message).not.to.contain(value);
    });
  }

  it('names all that is wrong at once', () => {
    const message = problem(z.object({ a: settings.PENSTOCK_PORT, b: settings.PENSTOCK_REDIS_URL }), {
      a: 'x',
    });
    expect(message).to.contain('a: ').and.to.contain('b must be set');
  });

  it('refuses a list of keys of which one is too short, or missing, without showing the others', () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    const schema = z.object({ PENSTOCK_KEY_ENCRYPTION_KEY: settings.PENSTOCK_KEY_ENCRYPTION_KEY });
    for (const list of [`${key},c2hvcnQ=`, `${key},`, `,${key}`]) {
      expect(problem(schema, { PENSTOCK_KEY_ENCRYPTION_KEY: list }))
        .to.match(/^PENSTOCK_KEY_ENCRYPTION_KEY: .*32 bytes/)
        .and.not.to.contain(key);
    }
  });

  it('takes the slash off the end of a base URL, and decodes one key or several', () => {
    const shape = z.object({
      PENSTOCK_BASE_URL: settings.PENSTOCK_BASE_URL,
      PENSTOCK_KEY_ENCRYPTION_KEY: settings.PENSTOCK_KEY_ENCRYPTION_KEY,
    });
    const [key, old] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
    const config = readConfig(shape, {
      PENSTOCK_BASE_URL: 'https://api.example.com/',
      PENSTOCK_KEY_ENCRYPTION_KEY: key.toString('base64'),
    });
    expect(config.PENSTOCK_BASE_URL).to.equal('https://api.example.com');
    expect(config.PENSTOCK_KEY_ENCRYPTION_KEY).to.deep.equal([key]);
    const text = `${key.toString('base64')}, ${old.toString('base64')}`;
    expect(settings.PENSTOCK_KEY_ENCRYPTION_KEY.parse(text)).to.deep.equal([key, old]);
  });
});
