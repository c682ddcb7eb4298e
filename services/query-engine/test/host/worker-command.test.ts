import { expect } from 'chai';
import { workerCommand } from '../../src/host/start-workers.ts';

describe('how a worker is started', () => {
  it('takes nothing of the host’s environment but what it needs', () => {
    const { env } = workerCommand(
      640,
      { PENSTOCK_PAGE_POSITION_KEY: 'secret', AWS_SECRET_ACCESS_KEY: 'secret', TZ: 'UTC', LANG: undefined },
      '/spill',
    );
    expect(env).to.have.all.keys('NODE_ENV', 'MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE', 'TZ');
  });

  it('keeps what it compiles in the host’s folder, or beside what the host keeps', () => {
    expect(workerCommand(640, {}, '/spill').env['NODE_COMPILE_CACHE']).to.equal('/spill/compiled');
    expect(workerCommand(640, { NODE_COMPILE_CACHE: '/cache' }, '/spill').env['NODE_COMPILE_CACHE']).to.equal(
      '/cache/query-workers',
    );
  });
});
