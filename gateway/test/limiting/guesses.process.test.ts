import { once } from 'node:events';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { connectRedis } from '@penstock/common/redis/connect.ts';
import { LOOKUPS_PER_S, WRONG_SECRETS } from '@penstock/common/throttling/limits.ts';
import type { IsWrong, WrongTries } from '@penstock/common/throttling/wrong-tries.ts';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { startTestRedis, type TestRedis } from '../../../services/common/test/usage/support/redis.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { createGuesses } from '../../src/limiting/guesses.ts';
import { WRONG_TOKENS_MAX, WRONG_TRIES_WINDOW_S } from '../../src/limits.ts';

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
    for (let i = 0; i < WRONG_SECRETS.tries; i += 1) {
      expect(await outcomeOf(one.secrets, '192.0.2.1', wrong)).to.equal('UNAUTHORIZED');
    }
    expect(await outcomeOf(two.secrets, '192.0.2.1', wrong)).to.equal('RATE_LIMITED');
    expect(await outcomeOf(two.secrets, '::ffff:192.0.2.1', wrong)).to.equal('RATE_LIMITED');
    expect(await outcomeOf(two.secrets, '192.0.2.2', wrong)).to.equal('UNAUTHORIZED');
    expect(await outcomeOf(two.tokens, '192.0.2.1', wrong), 'tokens are another count').to.equal(
      'UNAUTHORIZED',
    );
    expect(refused).to.deep.equal(['wrong_secrets', 'wrong_secrets']);
  });

  it('do not keep right ones from the same address out', async () => {
    const { secrets } = createGuesses(null, logger);
    const isWrong = { code: 'UNAUTHORIZED', who: 'ada' } as const;
    expect(await outcomeOf(secrets, '192.0.2.1', right, isWrong)).to.equal('right');
    for (let i = 0; i < WRONG_SECRETS.tries; i += 1) await outcomeOf(secrets, '192.0.2.1', wrong);
    expect(await outcomeOf(secrets, '192.0.2.1', right, { code: 'UNAUTHORIZED', who: 'bob' })).to.equal(
      'right',
    );
    let lookedUp = 0;
    const counted = () => {
      lookedUp += 1;
      return wrong();
    };
    const flood = Array.from({ length: 500 }, () => outcomeOf(secrets, '192.0.2.1', counted));
    expect(new Set(await Promise.all(flood))).to.deep.equal(new Set(['RATE_LIMITED']));
    expect(lookedUp, 'of 500').to.be.at.most(2 * LOOKUPS_PER_S);
    // Who was right there before has turns of its own.
    expect(await outcomeOf(secrets, '192.0.2.1', right, isWrong)).to.equal('right');
  });

  it('that are abandoned count as wrong ones, and what fails by itself does not', async () => {
    const { secrets } = createGuesses(null, logger);
    const isWrong = { code: 'UNAUTHORIZED', who: 'ada', asksBack: true } as const;
    const away = () => Promise.reject(new PenstockError('UNAVAILABLE', 'away'));
    for (let i = 0; i < 2 * WRONG_SECRETS.tries; i += 1) {
      expect(await outcomeOf(secrets, '192.0.2.1', right, isWrong)).to.equal('right');
      expect(await outcomeOf(secrets, '192.0.2.1', away, isWrong)).to.equal('UNAVAILABLE');
    }
    expect(await outcomeOf(secrets, '192.0.2.1', wrong, isWrong)).to.equal('UNAUTHORIZED');
    const hungUp = () => Promise.reject(new Error('the client hung up'));
    const left = Array.from({ length: WRONG_SECRETS.tries + 200 }, () =>
      outcomeOf(secrets, '192.0.2.1', hungUp, isWrong),
    );
    const outcomes = await Promise.all(left);
    const refused = outcomes.filter((outcome) => outcome === 'RATE_LIMITED');
    expect(refused.length).to.be.at.least(200 - 2 * LOOKUPS_PER_S);
  });

  it('are counted in memory while Redis is away', async () => {
    const lost = connectRedis('redis://127.0.0.1:1', { logger, role: 'commands' });
    const { tokens } = createGuesses(lost, logger);
    for (let i = 0; i < WRONG_TOKENS_MAX; i += 1) await outcomeOf(tokens, '192.0.2.1', wrong);
    expect(await outcomeOf(tokens, '192.0.2.1', wrong)).to.equal('RATE_LIMITED');
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
    const refusal = tokens.attempt({ request: { ip: '192.0.2.1' } }, async () => 'unknown', isWrong);
    const error: unknown = await refusal.catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(PenstockError);
    expect((error as PenstockError).retryAfterS).to.be.within(1, WRONG_TRIES_WINDOW_S);
  });
});
