import { expect } from 'chai';
import { callLogger } from '../../src/logging/call-logger.ts';
import { createLogger, type Logger } from '../../src/logging/logger.ts';

describe('the logger of a call', () => {
  let lines: Record<string, unknown>[];
  let parent: Logger;
  beforeEach(() => {
    lines = [];
    parent = createLogger({
      service: 'svc',
      level: 'info',
      destination: { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    });
  });

  it('writes its fields on each line, and those that it was given since', () => {
    const logger = callLogger(parent, { requestId: 'r' });
    logger.setBindings({ tenantId: 't' });
    logger.info({ route: '/x' }, 'first');
    logger.setBindings({ principalId: 'p' });
    logger.warn('second');
    expect(lines[0]).to.include({
      level: 'info',
      service: 'svc',
      requestId: 'r',
      tenantId: 't',
      route: '/x',
      msg: 'first',
    });
    expect(lines[1]).to.include({
      level: 'warn',
      requestId: 'r',
      tenantId: 't',
      principalId: 'p',
      msg: 'second',
    });
  });

  it('writes nothing below the level, and makes nothing for it', () => {
    let made = 0;
    const counting: Logger = Object.assign(Object.create(parent) as Logger, {
      child: (fields: object) => {
        made++;
        return parent.child(fields);
      },
    });
    const logger = callLogger(counting, { requestId: 'r' });
    logger.debug('quiet');
    expect([lines.length, made]).to.deep.equal([0, 0]);
    logger.info('one');
    logger.info('two');
    expect([lines.length, made]).to.deep.equal([2, 1]);
  });

  it('has children with its fields and theirs', () => {
    callLogger(parent, { requestId: 'r' }).child({ step: 1 }).error('of a child');
    expect(lines[0]).to.include({ level: 'error', requestId: 'r', step: 1 });
  });

  it('writes no secret among its fields', () => {
    callLogger(parent, { requestId: 'r', accessToken: 'abc' }).info('here');
    expect(JSON.stringify(lines)).not.to.contain('abc');
  });
});
