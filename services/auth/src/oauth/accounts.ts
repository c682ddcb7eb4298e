import type { PrincipalStore } from '../store/principals.ts';
import type { User } from '../users/user.ts';

/**
 * The ID by which oidc-provider knows a user: the user ID and the generation at the sign-in. So sessions, codes and
 * refresh tokens all end when the generation rises, and no list of them is needed.
 */
export const accountIdOf = ({ userId, generation }: Pick<User, 'userId' | 'generation'>): string =>
  `${userId}.${generation}`;

/** The user of an account, while they are active and in that generation. */
export interface Accounts {
  activeUser(accountId: string): Promise<User | null>;
}

export function createAccounts(users: PrincipalStore<User>): Accounts {
  return {
    async activeUser(accountId) {
      const [userId = '', generation = ''] = accountId.split('.');
      const user = await users.get(userId);
      return user?.status === 'active' && String(user.generation) === generation ? user : null;
    },
  };
}
