import { once } from 'node:events';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { connectRedis } from '@penstock/common/redis/connect.ts';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { startTestRedis, type TestRedis } from '../../../services/common/test/usage/support/redis.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { createGuesses } from '../../src/limiting/guesses.ts';
import type { IsWrong, WrongTries } from '../../src/limiting/wrong-tries.ts';
import { WRONG_SECRETS_MAX, WRONG_TOKENS_MAX, WRONG_TRIES_WINDOW_S } from '../../src/limits.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

describe('Wrong secrets and tokens', function () {
  this.timeout(90_000);
  let server: TestRedis;
  let redis: Redis;
  before(async () => {
    server = await startTestRedis();
    redis = connectRedis(server.url, { logger, role: 'commands' });
    await once(redis, 'ready');
  });
  after(async () => {
    redis.disconnect();
    await server.close();
  });

  /** What becomes of a try: the code of its error, or what it gave. */
  async function outcomeOf<T>(
    tries: WrongTries,
    ip: string,
    work: () => Promise<T>,
    isWrong: IsWrong<T> = { code: 'UNAUTHORIZED' },
  ): Promise<unknown> {
    const from = { request: { ip } as Exchange['request'] };
    return tries
      .attempt(from, work, isWrong)
      .catch((error: unknown) => (error instanceof PenstockError ? error.code : error));
  }
  const wrong = () => Promise.reject(new PenstockError('UNAUTHORIZED', 'no'));
  const right = async () => 'right';

  it('are counted for all gateways by address, and those of others go on', async () => {
    const refused: string[] = [];
    const [one, two] = [
      createGuesses(redis, logger),
      createGuesses(redis, logger, (limit) => void refused.push(limit)),
    ];
    for (let i = 0; i < WRONG_SECRETS_MAX; i += 1) {
      expect(await outcomeOf(one.secrets, '192.0.2.1', wrong)).to.equal('UNAUTHORIZED');
    }
    expect(await outcomeOf(two.secrets, '192.0.2.1', right)).to.equal('RATE_LIMITED');
    expect(await outcomeOf(two.secrets, '::ffff:192.0.2.1', right)).to.equal('RATE_LIMITED');
    expect(await outcomeOf(two.secrets, '192.0.2.2', right)).to.equal('right');
    expect(await outcomeOf(two.tokens, '192.0.2.1', right), 'tokens are another count').to.equal('right');
    expect(refused).to.deep.equal(['wrong_secrets', 'wrong_secrets']);
  });

  it('are counted in memory while Redis is away', async () => {
    const lost = connectRedis('redis://127.0.0.1:1', { logger, role: 'commands' });
    const { tokens } = createGuesses(lost, logger);
    for (let i = 0; i < WRONG_TOKENS_MAX; i += 1) await outcomeOf(tokens, '192.0.2.1', wrong);
    expect(await outcomeOf(tokens, '192.0.2.1', right)).to.equal('RATE_LIMITED');
    lost.disconnect();
  });

  it('are those that the result or the error says so of, and nothing else counts', async () => {
    const { tokens } = createGuesses(null, logger);
    const isWrong = { result: (result: string) => result === 'unknown', code: 'NOT_FOUND' } as const;
    for (let i = 0; i < WRONG_TOKENS_MAX * 2; i += 1) {
      expect(await outcomeOf(tokens, '192.0.2.1', right, isWrong)).to.equal('right');
      expect(await outcomeOf(tokens, '192.0.2.1', wrong, isWrong)).to.equal('UNAUTHORIZED');
    }
    for (let i = 0; i < WRONG_TOKENS_MAX; i += 1) {
      expect(await outcomeOf(tokens, '192.0.2.1', async () => 'unknown', isWrong)).to.equal('unknown');
    }
    const refusal = tokens.attempt({ request: { ip: '192.0.2.1' } }, right, isWrong);
    const error: unknown = await refusal.catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(PenstockError);
    expect((error as PenstockError).retryAfterS).to.be.within(1, WRONG_TRIES_WINDOW_S);
  });
});
