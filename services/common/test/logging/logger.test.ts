import { expect } from 'chai';
import { createLogger } from '../../src/logging/logger.ts';

function logged(write: (logger: ReturnType<typeof createLogger>) => void): Record<string, unknown> {
  const lines: string[] = [];
  write(
    createLogger({
      service: 'svc',
      level: 'info',
      destination: { write: (line: string) => void lines.push(line) },
    }),
  );
  expect(lines).to.have.length(1);
  return JSON.parse(lines[0]!) as Record<string, unknown>;
}

describe('logger', () => {
  it('writes service, level, time and the fields of its child', () => {
    const line = logged((logger) => logger.child({ requestId: 'r', tenantId: 't' }).info('hello'));
    expect(line).to.include({ service: 'svc', level: 'info', requestId: 'r', tenantId: 't', msg: 'hello' });
    expect(line.time).to.match(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('writes no secret that is handed to it, at the top or one below', () => {
    const text = JSON.stringify(
      logged((logger) =>
        logger.info({
          authorization: 'Bearer abc',
          client: { clientSecret: 'abc', name: 'n' },
          headers: { cookie: 'abc' },
        }),
      ),
    );
    expect(text).not.to.contain('abc');
    expect(text).to.contain('"name":"n"');
  });

  it('scrubs ARNs and tokens from errors and their causes, and leaves their other properties out', () => {
    const cause = Object.assign(
      new Error('User arn:aws:sts::123456789012:assumed-role/x/y is not authorized'),
      {
        $response: { body: 'rows' },
        code: 'AccessDenied',
      },
    );
    const err = new Error('Bearer abc.def failed for eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln', { cause });
    const text = JSON.stringify(logged((logger) => logger.error({ err }, 'failed')));
    expect(text).not.to.match(/123456789012|eyJ|abc\.def|rows/);
    expect(text).to.contain('User [arn] is not authorized').and.to.contain('AccessDenied');
  });
});
